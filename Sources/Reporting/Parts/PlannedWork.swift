// What parts are parts of: a run, or what another command does.
// Plain values; any thread.

package import Engine
import Files
import ReportModel

/// A sweep, a swarm or a matrix, by the arguments that it was called with.
package struct PlannedCommand: Codable, Sendable, Equatable {
    /// `sweep`
    package var name: String
    /// What follows the command's name, without what says which part is done and where it is written.
    package var arguments: [String]
    /// Sums over the texts of the files that it reads, by what they are called.
    package var files: [String: String]
    package var shard: Shard?
    package var version: String
    package var build: String

    /// - Parameter texts: of the files that it reads, by what they are called.
    package init(_ name: String, arguments: [String], texts: [String: String], shard: Shard) {
        (self.name, self.arguments, self.shard) = (name, arguments, shard)
        files = Self.sums(of: texts)
        (version, build) = (StampedeVersion.current, BuildIdentity.current)
    }

    /// Files whose texts are not what they were, by their names.
    package func changed(_ texts: [String: String]) -> [String] {
        let now = Self.sums(of: texts)
        return files.keys.filter { files[$0] != now[$0] }.sorted()
    }

    private static func sums(of texts: [String: String]) -> [String: String] {
        texts.mapValues { Checksum.digits(Checksum.of($0.utf8)) }
    }

    fileprivate func differences(from other: PlannedCommand) -> [PlanDifference] {
        var found = [
            PlanDifference("command", name, other.name),
            PlanDifference("list of arguments", arguments, other.arguments) { $0.joined(separator: " ") },
            PlanDifference("number of parts", shard?.count ?? 1, other.shard?.count ?? 1),
        ].compactMap(\.self)
        if files != other.files { found.append(PlanDifference(what: "text of its files", theirs: nil, first: nil)) }
        return found
    }
}

package enum PlannedWork: Codable, Sendable, Equatable {
    case run(PlannedRun)
    case command(PlannedCommand)

    package var shard: Shard? {
        switch self {
        case .run(let run): run.shard
        case .command(let command): command.shard
        }
    }

    package var build: String {
        switch self {
        case .run(let run): run.build
        case .command(let command): command.build
        }
    }

    package var version: String {
        switch self {
        case .run(let run): run.version
        case .command(let command): command.version
        }
    }

    private var name: String {
        switch self {
        case .run: "run"
        case .command(let command): command.name
        }
    }

    /// Empty where both are parts of one.
    func differences(from other: PlannedWork) -> [PlanDifference] {
        switch (self, other) {
        case (.run(let one), .run(let other)): one.differences(from: other)
        case (.command(let one), .command(let other)): one.differences(from: other)
        default: [PlanDifference("command", name, other.name)].compactMap(\.self)
        }
    }
}

/// What one has otherwise than another.
package struct PlanDifference: Sendable, Equatable {
    let what: String
    /// Nil where that is too long to be told.
    let theirs: String?
    let first: String?

    init(what: String, theirs: String?, first: String?) { (self.what, self.theirs, self.first) = (what, theirs, first) }

    /// Nil where they are equal.
    init?<Fact: Equatable>(_ what: String, _ theirs: Fact, _ first: Fact, _ words: (Fact) -> String = { "\($0)" }) {
        if theirs == first { return nil }
        self.init(what: what, theirs: words(theirs), first: words(first))
    }

    /// `the seed 2, and not 1`
    package var words: String {
        guard let theirs, let first else { return "another \(what)" }
        return "the \(what) \(theirs) instead of \(first)"
    }
}
