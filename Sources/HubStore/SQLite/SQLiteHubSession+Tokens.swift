import Hub
import SQLite
import TandemItems

extension SQLiteHubSession {
    func tokens() throws -> [TokenRecord] {
        try answer { try database.prepare(Self.selectTokens + " ORDER BY name").all(read: token) }
    }

    func token(hash: [UInt8]) throws -> TokenRecord? {
        try answer { try database.prepare(Self.selectTokens + " WHERE hash=?").first(hash, read: token) }
    }

    func put(_ token: TokenRecord) throws {
        try answer {
            let lists = JSON.array(token.lists.map { .string($0.text) })
            try run(
                """
                INSERT INTO token(name, hash, role, lists, created, expires, revoked) VALUES(?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(name) DO UPDATE SET hash=excluded.hash, role=excluded.role, lists=excluded.lists,
                    created=excluded.created, expires=excluded.expires, revoked=excluded.revoked
                """,
                token.name, token.hash, token.role.rawValue, UTF8Text(lists), token.created.milliseconds,
                token.expires?.milliseconds, token.isRevoked)
        }
    }

    private func token(_ row: Statement) throws -> TokenRecord {
        guard let role = Role(rawValue: row.text(at: 2)) else {
            throw HubStorageError(.corrupt, "a token has the unknown role '\(row.text(at: 2))'")
        }
        return TokenRecord(
            name: row.text(at: 0), hash: row.blob(at: 1), role: role, lists: try lists(row.blob(at: 3)),
            created: Timestamp(milliseconds: row.int64(at: 4)),
            expires: row.optionalInt64(at: 5).map(Timestamp.init(milliseconds:)), isRevoked: row.int64(at: 6) != 0)
    }

    private func lists(_ json: [UInt8]) throws -> [ListName] {
        try stored {
            guard let names = try JSON(parsing: json).array else { throw InvalidItem(.shape, "no array of lists") }
            return try names.map { try ListName($0.string ?? "") }
        }
    }

    private static let selectTokens = "SELECT name, hash, role, lists, created, expires, revoked FROM token"
}
