/// The architecture article as its reader sees it: the drawn plan and the table of targets.
struct Article {
    /// Every target of the fenced plan with its level, C modules at 0; one drawn twice is there twice.
    let plan: [(target: String, level: Int)]
    /// Rows of the table: what each target may import.
    let table: [(target: String, imports: Set<String>)]

    init(text: String) {
        let fences = text.split(separator: "```", omittingEmptySubsequences: false)
        plan = fences.count > 1 ? fences[1].split(separator: "\n").flatMap(Self.drawn) : []
        table = text.split(separator: "\n").compactMap(Self.row)
    }

    /// `3 domain  Hub · Sync`: a level, its name, targets with remarks in parentheses.
    private static func drawn(_ line: Substring) -> [(target: String, level: Int)] {
        guard let match = line.wholeMatch(of: /(\d) \w+ +(.*)/), let level = Int(match.1) else { return [] }
        let names = match.2.replacing(/\([^)]*\)/, with: "").split(separator: "·")
        return names.map { ($0.filter { !$0.isWhitespace }, level) }
    }

    private static func row(_ line: Substring) -> (target: String, imports: Set<String>)? {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        guard cells.count == 5, cells[0].isEmpty, cells[1] != "Target", cells[1].contains(where: \.isLetter) else {
            return nil
        }
        return (cells[1], Set(cells[3].split(separator: ",").map(String.init)))
    }
}
