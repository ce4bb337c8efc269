/// Which of some names a mistyped one was probably meant to be.
enum NearestName {
    /// The name with the fewest edits from `word`, if that is at most a third of it; ties go to the earlier one.
    static func of(_ word: String, among names: [String]) -> String? {
        let bounded = String(word.prefix(64))
        let limit = max(1, bounded.count / 3)
        let ranked = names.map { (name: $0, distance: distance(bounded, $0)) }
        if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit { return best.name }
        let beginning = names.filter { bounded.count >= 2 && $0.hasPrefix(bounded) }
        return beginning.count == 1 ? beginning[0] : nil
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
