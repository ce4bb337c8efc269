import SQLite
import Sync
import TandemItems

extension ReplicaSnapshot {
    final func pending(
        in list: ListName, from n: Int64, limit: Int, maximumBytes: Int
    ) throws -> [Mutation] {
        try checked {
            guard limit > 0 else { return [] }
            let statement = try prepare(Self.pendingFrom)
            try statement.bind(list.text, at: 1)
            try statement.bind(n, at: 2)
            try statement.bind(Int64(limit), at: 3)
            defer { statement.cancel() }
            var mutations: [Mutation] = []
            var bytes = 0
            while try statement.step() {
                let mutation = statement.blob(at: 0)
                bytes += mutation.count
                guard mutations.isEmpty || bytes <= maximumBytes else { break }
                mutations.append(try Mutation(json: JSON(parsing: mutation)))
            }
            return mutations
        }
    }

    final func pending(of item: ItemID, in list: ListName) throws -> [Mutation] {
        try checked {
            try prepare(Self.pendingOfItem).all(list.text, item.text) {
                try Mutation(json: JSON(parsing: $0.blob(at: 0)))
            }
        }
    }

    final func hasPending(in list: ListName) throws -> Bool {
        try checked {
            try prepare("SELECT 1 FROM pending WHERE list = ? LIMIT 1").first(list.text) { _ in true } ?? false
        }
    }

    final func quarantined() throws -> [QuarantinedMutation] {
        try checked {
            try prepare("SELECT \(Self.quarantineColumns) FROM quarantine ORDER BY key").all {
                try QuarantinedMutation(row: $0)
            }
        }
    }

    static let quarantineColumns = "list, mutation, code, message, since"
    private static let pendingOfItem = "SELECT mutation FROM pending WHERE list = ? AND item = ? ORDER BY n"
    private static let pendingFrom = "SELECT mutation FROM pending WHERE list = ? AND n >= ? ORDER BY n LIMIT ?"
}

extension QuarantinedMutation {
    /// Reads the columns `list, mutation, code, message, since`, which start at a column.
    init(row: Statement, from column: Int = 0) throws {
        self.init(
            list: try ListName(row.text(at: column)),
            mutation: try Mutation(json: JSON(parsing: row.blob(at: column + 1))),
            refusal: Refusal(code: row.text(at: column + 2), message: row.text(at: column + 3)),
            since: Timestamp(milliseconds: row.int64(at: column + 4)))
    }
}
