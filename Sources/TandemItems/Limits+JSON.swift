extension Limits {
    /// `{"item_bytes", "fields", "batch_mutations", "batch_bytes"}`, the same on the wire and in a store.
    package var json: JSON {
        [
            "item_bytes": .int(Int64(itemBytes)), "fields": .int(Int64(fields)),
            "batch_mutations": .int(Int64(batchMutations)), "batch_bytes": .int(Int64(batchBytes)),
        ]
    }

    /// Reads the form that ``json`` writes. A bound that is missing is the default one; all are brought into ``Limits/Bounds``.
    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("limits")
        let standard = Limits()
        let bound = { (key: String, standard: Int) in
            Int(clamping: object[key]?.int ?? Int64(standard))
        }
        self.init(
            itemBytes: bound("item_bytes", standard.itemBytes), fields: bound("fields", standard.fields),
            batchMutations: bound("batch_mutations", standard.batchMutations),
            batchBytes: bound("batch_bytes", standard.batchBytes))
    }
}
