import Hub
import SQLite
import TandemItems

/// Looks through a whole store for what must not be. Read-only; within a transaction, so that it sees one state.
struct HubInspection {
    /// Of each kind of finding.
    private static let maximumFindings = 20
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// What is wrong, in words for the operator.
    func findings() throws -> [String] {
        let damage = try connection.quickCheck()
        // A file that is not sound answers at random.
        guard damage.isEmpty else { return damage }
        return try Self.rules.flatMap(violations) + contentFindings()
    }

    private static let rules = [
        (
            "a list's head or digest is not that of its latest change",
            """
            SELECT name FROM list LEFT JOIN history ON history.list=list.key AND sequence=head
            WHERE head!=(SELECT ifnull(max(sequence), 0) FROM history WHERE list=list.key)
                OR list.digest!=ifnull(history.digest, start)
            """
        ),
        (
            "a list's history has a gap",
            """
            SELECT name FROM list JOIN history ON history.list=list.key GROUP BY list.key
            HAVING min(sequence)!=1 OR max(sequence)!=count(*)
            """
        ),
        (
            "an item's version is not that of its latest change",
            """
            SELECT id FROM item LEFT JOIN history ON history.list=item.list AND sequence=version
            WHERE history.item IS NOT id
            """
        ),
        (
            "a changed item is missing or older than its change",
            """
            SELECT history.item FROM history LEFT JOIN item ON item.list=history.list AND item.id=history.item
            WHERE item.version IS NULL OR sequence>item.version
            """
        ),
        (
            "a change does not name the one before it",
            """
            SELECT item FROM (SELECT item, previous,
            lag(sequence, 1, 0) OVER (PARTITION BY list, item ORDER BY sequence) AS last FROM history)
            WHERE previous!=last
            """
        ),
        (
            "a number was both accepted and refused",
            "SELECT replica || ' ' || n FROM history JOIN refusal USING(list, replica, n)"
        ),
        (
            "a row belongs to no list",
            """
            SELECT DISTINCT list FROM (SELECT list FROM item UNION ALL SELECT list FROM history
            UNION ALL SELECT list FROM refusal) WHERE list NOT IN (SELECT key FROM list)
            """
        ),
        (
            "a number belongs to no replica",
            """
            SELECT DISTINCT replica FROM (SELECT replica FROM history UNION ALL SELECT replica FROM refusal)
            WHERE replica NOT IN (SELECT key FROM replica)
            """
        ),
    ]

    private func violations(_ message: String, _ sql: String) throws -> [String] {
        let limited = "SELECT * FROM (\(sql)) LIMIT \(Self.maximumFindings)"
        return try connection.prepare(limited).all { "\(message): \($0.text(at: 0))" }
    }

    /// Items and entries whose JSON does not say what their columns say.
    private func contentFindings() throws -> [String] {
        var findings: [String] = []
        try connection.prepare("SELECT id, version, live, json FROM item").query { row in
            guard findings.count < Self.maximumFindings, !isSound(item: row) else { return }
            findings.append("an item's content does not match its row: \(row.text(at: 0))")
        }
        let entries = "SELECT sequence, id, n, nonce, item, entry FROM history LEFT JOIN replica ON key=replica"
        try connection.prepare(entries).query { row in
            guard findings.count < 2 * Self.maximumFindings, !isSound(entry: row) else { return }
            findings.append("a change's content does not match its row: sequence \(row.int64(at: 0))")
        }
        return findings
    }

    private func isSound(item row: Statement) -> Bool {
        // What cannot be read is the finding; the reason does not help to repair it.
        guard let item = try? Item(json: JSON(parsing: row.blob(at: 3))) else { return false }
        return row.blob(at: 0) == Array(item.id.text.utf8) && row.int64(at: 1) == item.version.number
            && (row.int64(at: 2) != 0) == item.isLive
    }

    private func isSound(entry row: Statement) -> Bool {
        // As above.
        guard let entry = try? HistoryEntry(json: JSON(parsing: row.blob(at: 5))) else { return false }
        let mutation = entry.mutation
        return row.int64(at: 0) == entry.sequence.number && row.int64(at: 2) == mutation.n
            && row.blob(at: 1) == Array(mutation.replica.text.utf8)
            && row.blob(at: 3) == Array(mutation.nonce.text.utf8)
            && row.blob(at: 4) == Array(mutation.item.text.utf8)
    }
}
