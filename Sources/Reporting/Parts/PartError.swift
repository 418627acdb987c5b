// Why parts cannot become the run that they are parts of.
// Facts; the words are all here.

import Text

package struct PartError: Error, Sendable, Equatable {
    package enum Problem: Sendable, Equatable {
        /// The report of a whole run among parts.
        case noPart
        case fileMissing(name: String)
        /// Cut off, or not what was written.
        case damaged(name: String)
        case unreadable(name: String, reason: String)
        /// Made by another build than the one that is to merge.
        case otherBuild(version: String)
        case differs([PlanDifference], first: String)
        case twice(part: String, other: String)
        /// By their numbers.
        case missing([Int], of: Int)
    }

    /// Of the part; empty where it is about all of them.
    package let path: String
    package let problem: Problem

    /// Numbers of missing parts that are named.
    private static let namedMax = 12

    package var description: String {
        switch problem {
        case .noPart: return "\(path) is the report of a whole run, but merge also got parts"
        case .fileMissing(let name): return "\(path) has no \(name)"
        case .damaged(let name): return "\(path)/\(name) is cut off or was changed"
        case .unreadable(let name, let reason): return "\(path)/\(name) cannot be read: \(reason)"
        case .otherBuild(let version):
            return "another build of the program (version \(version)) made \(path)"
        case .differs(let differences, let first):
            return "\(path) belongs to another run than \(first): it has "
                + differences.map(\.words).joined(separator: "; ")
        case .twice(let part, let other): return "part \(part) is given twice: \(other) and \(path)"
        case .missing(let numbers, let count):
            let named = numbers.prefix(Self.namedMax).map { "\($0)/\(count)" }.joined(separator: ", ")
            let more = numbers.count - Self.namedMax
            let rest = more > 0 ? " and \(HumanNumbers.count(more)) more" : ""
            return numbers.count == 1 ? "part \(named) is missing" : "parts are missing: \(named)\(rest)"
        }
    }

    package var hint: String {
        switch problem {
        case .noPart: "give all parts of one run, and nothing else"
        case .fileMissing: "copy the part's whole folder"
        case .damaged: "copy it again from its machine, or run that part again"
        case .unreadable: "make it readable"
        case .otherBuild: "only parts of one build are exact to the last bit: run and merge with the same program"
        case .differs: "parts of one run differ only in their number"
        case .twice: "name each part once"
        case .missing: "run the missing parts, or give them too: merge needs all parts to judge the run"
        }
    }
}

/// Everything that is wrong with some parts.
package struct PartErrors: Error, Sendable {
    package let all: [PartError]
}
