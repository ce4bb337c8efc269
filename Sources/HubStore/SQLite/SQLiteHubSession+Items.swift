import Hub
import SQLite
import TandemItems

extension SQLiteHubSession {
    func item(_ id: ItemID, in list: ListName) throws -> Item? {
        try answer {
            guard let list = try row(of: list)?.key else { return nil }
            let found = try database.statement(.item).first(list, id.text) { row in
                (place: ItemPlace(key: row.int64(at: 0), version: Version(row.int64(at: 1))), json: row.blob(at: 2))
            }
            remember(found?.place, of: id, in: list)
            return try found.map { found in try stored { try Item(json: try JSON(parsing: found.json)) } }
        }
    }

    func items(
        in list: ListName, after: Version, through: Version, limit: Int, maximumBytes: Int, tombstonesAfter: Version
    ) throws -> [EncodedItem] {
        try answer {
            guard limit > 0, let list = try row(of: list) else { return [] }
            var page: [EncodedItem] = []
            var bytes = 0
            let deadAfter = max(after, tombstonesAfter)
            var values = [list.key, after.number, through.number, Int64(limit)]
            if deadAfter < through { values.append(deadAfter.number) }
            let statement = try database.prepare(deadAfter < through ? Self.selectChanges : Self.selectLiveChanges)
            for (index, value) in values.enumerated() {
                try statement.bind(value, at: index + 1)
            }
            while try statement.step() {
                let item = encodedItem(statement)
                page.append(item)
                bytes += item.json.count
                if bytes >= maximumBytes { break }
            }
            try statement.reset()
            return page
        }
    }

    func eachLiveItem(in list: ListName, _ body: (EncodedItem) throws -> Void) throws {
        try answer {
            guard let list = try row(of: list) else { return }
            try database.prepare(Self.selectLiveItems).query(list.key) { try body(encodedItem($0)) }
        }
    }

    func put(_ item: Item, in list: ListName) throws {
        try answer {
            let key = try existing(list).key
            let old = try place(of: item.id, in: key)
            let json = UTF8Text(item.json)
            if let old {
                try run(.updateItem, item.version.number, item.isLive, json, old.key)
            } else {
                try run(.insertItem, key, item.id.text, item.version.number, item.isLive, json)
            }
            forgetPlace()
            changes.put(item.version, at: .init(list: list, id: item.id), over: old?.version ?? .none)
        }
    }

    private func encodedItem(_ row: Statement) -> EncodedItem {
        EncodedItem(version: Version(row.int64(at: 0)), json: row.blob(at: 1))
    }

    static let selectLiveChanges = """
        SELECT version, json FROM item WHERE list=?1 AND live=1 AND version>?2 AND version<=?3 ORDER BY version LIMIT ?4
        """
    /// Left to choose, SQLite would sort all items by their ids instead of walking the index of these.
    static let selectLiveItems = """
        SELECT version, json FROM item INDEXED BY item_id WHERE list=? AND live=1 ORDER BY id
        """
    /// SQLite merges the two ranges as it goes; it sorts nothing.
    static let selectChanges = """
        SELECT version, json FROM item WHERE list=?1 AND live=0 AND version>?5 AND version<=?3 UNION ALL
        SELECT version, json FROM item WHERE list=?1 AND live=1 AND version>?2 AND version<=?3 ORDER BY 1 LIMIT ?4
        """
}

/// JSON bound as text, without making a string of it.
struct UTF8Text: Bindable {
    let bytes: [UInt8]

    init(_ json: JSON) { bytes = json.encoded() }

    func bind(to statement: Statement, at index: Int) throws {
        try statement.bindText(utf8: bytes, at: index)
    }
}
