import HTTP
import Sync
import TandemItems
import Wire

extension DaemonService {
    func importRecords(_ request: Request, _ format: String, _ index: Int, into list: ListName) async throws -> Response {
        throw Failure.unknownRoute
    }
    func export(_ list: ListName, _ format: String) async throws -> Response {
        throw Failure.unknownRoute
    }
}
