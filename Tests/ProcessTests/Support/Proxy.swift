import Dispatch
import Glibc
import Synchronization

/// A TCP proxy between daemons and their hub, which fails as networks do. Listens on a port of its own on the loopback
/// address; what it does to connections may change at any time.
final class Proxy: Sendable {
    /// How the network behaves.
    enum Weather: Sendable, Equatable {
        case fair
        /// Nobody gets through; what was open is broken.
        case cut
        /// Every piece of data takes this long, in milliseconds.
        case slow(milliseconds: Int32)
        /// Requests reach the hub, answers are lost: the connection breaks once the hub has begun to answer.
        case answersLost
        /// As ``answersLost``, for requests that change something: what only asks gets its answer.
        case answersToChangesLost
    }

    private struct State {
        var weather = Weather.fair
        var upstream: UInt16 = 0
        var open: Set<Int32> = []
        /// Those of the open connections from daemons whose last request was one to change something.
        var changing: Set<Int32> = []
        var lostAnswers = 0
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (address, length) = Self.loopback(0)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw Refused(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        Self.thread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else {
                    Glibc.close(client)
                    break
                }
                self.serve(client)
            }
            Glibc.close(listener)
        }
    }

    struct Refused: Error { let code: Int32 }

    /// Where the hub listens now.
    func lead(to port: UInt16) { state.withLock { $0.upstream = port } }

    /// Changes the weather. A cut also breaks what is open.
    func become(_ weather: Weather) {
        // Under the lock: a descriptor that is closed meanwhile may be another connection's by the time it is shut down.
        state.withLock { state in
            state.weather = weather
            guard weather == .cut else { return }
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// How many answers were lost so far.
    var lostAnswers: Int { state.withLock(\.lostAnswers) }

    /// Ends the proxy and every connection.
    func close() {
        become(.cut)
        shutdown(listener, Int32(SHUT_RDWR))  // which ends the thread that accepts, and that one closes it
    }

    private func serve(_ client: Int32) {
        let (weather, port) = state.withLock { ($0.weather, $0.upstream) }
        guard weather != .cut, let hub = Self.connect(port) else {
            Glibc.close(client)
            return
        }
        state.withLock { $0.open.formUnion([client, hub]) }
        let ends = DispatchGroup()
        for isAnswer in [false, true] {
            ends.enter()
            Self.thread {
                self.pump(from: isAnswer ? hub : client, to: isAnswer ? client : hub, isAnswer)
                ends.leave()
            }
        }
        ends.notify(queue: .global()) {
            self.state.withLock { state in
                state.open.subtract([client, hub])
                state.changing.remove(client)
            }
            Glibc.close(client)
            Glibc.close(hub)
        }
    }

    private func pump(from source: Int32, to sink: Int32, _ isAnswer: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if !isAnswer { note(buffer[..<count], from: source) }
            guard pass(&buffer, count, to: sink, isAnswer) else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
    }

    /// A request begins with its method; what is sent of it afterwards begins with neither of these.
    private func note(_ bytes: ArraySlice<UInt8>, from client: Int32) {
        state.withLock { state in
            if bytes.starts(with: "POST ".utf8) { state.changing.insert(client) }
            if bytes.starts(with: "GET ".utf8) { state.changing.remove(client) }
        }
    }

    private func pass(_ buffer: inout [UInt8], _ count: Int, to sink: Int32, _ isAnswer: Bool) -> Bool {
        let (weather, isChanging) = state.withLock { ($0.weather, $0.changing.contains(sink)) }
        switch weather {
        case .cut: return false
        case .answersLost where isAnswer, .answersToChangesLost where isAnswer && isChanging:
            state.withLock { $0.lostAnswers += 1 }
            return false
        case .slow(let milliseconds): Self.delay(milliseconds)
        default: break
        }
        var rest = buffer[..<count]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// The fault itself, on a thread of its own.
    private static func delay(_ milliseconds: Int32) { poll(nil, 0, milliseconds) }

    private static func connect(_ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (address, length) = loopback(port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) == 0 }
        }
        if !isConnected { Glibc.close(descriptor) }
        return isConnected ? descriptor : nil
    }

    private static func loopback(_ port: UInt16) -> (sockaddr_in, socklen_t) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return (address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "proxy").async(execute: body)
    }
}
