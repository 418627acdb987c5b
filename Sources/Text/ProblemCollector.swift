// Collects what is wrong with one file while it is read.
// Owned by one reading.

package struct ProblemCollector {
    package let file: String
    package let source: SourceText
    private var found: [SourcePosition: [(message: String, hint: String?)]] = [:]
    private var foundCount = 0
    private var ofOthers: [Problem] = []
    /// More are only counted: a file of junk has one in every line.
    private static let foundMax = 10_000
    /// More are not told: who has corrected so many asks again.
    package static let problemsMax = 100

    package init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    package mutating func report(_ position: SourcePosition, _ message: String, hint: String? = nil) {
        let position = source.clamped(position)
        // What an alias repeats is wrong once.
        if found[position, default: []].contains(where: { $0.message == message }) { return }
        foundCount += 1
        if foundCount <= Self.foundMax { found[position, default: []].append((message, hint)) }
    }

    /// What is wrong with a file that this one names; told after the problems of this one.
    package mutating func report(_ other: Problems) {
        foundCount += other.problems.count + other.omitted
        ofOthers += other.problems
    }

    package var hasProblems: Bool { foundCount > 0 }

    /// By position. There must be some.
    package var collected: Problems {
        var problems: [Problem] = []
        for position in found.keys.sorted().prefix(Self.problemsMax) {
            let snippet = source.snippet(at: position)
            for (message, hint) in found[position, default: []] {
                problems.append(
                    Problem(file: file, position: position, message: message, hint: hint, snippet: snippet))
            }
        }
        problems = Array((problems + ofOthers).prefix(Self.problemsMax))
        return Problems(problems, omitted: foundCount - problems.count)
    }
}
