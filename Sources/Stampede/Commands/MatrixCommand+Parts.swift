// A part of a matrix, and all of them as the matrix.
// Main thread.

import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario

/// What the runs of a part came to.
struct MatrixFindings: Codable {
    var report: MatrixReport
    /// A client crashed or hung in one of them.
    var hasEnded = false
    /// Whose doing it was that a worker process ended, of the first that did.
    var death: WorkerDeath.Blame?
}

extension MatrixCommand: ShardedCommand {
    var plannedArguments: [String] {
        var words = ["--scenarios", scenarios]
        if let clients { words += ["--clients", clients] }
        if let users { words += ["--users", "\(users)"] }
        if let seed { words += ["--seed", "\(seed)"] }
        if markdown { words.append("--markdown") }
        if failOnViolations { words.append("--fail-on-violations") }
        return words
    }

    func plannedTexts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for row in try runs() { if let first = row.first { texts.merge(first.scenario.texts) { $1 } } }
        return texts
    }

    func partStem() throws -> String { "matrix" }

    mutating func show(json: Bool, extent: ExtentOptions, out: String?) {
        self.json = json
        printed = extent
    }

    func finish(_ parts: PartMerge) throws -> ExitStatus {
        var whole: MatrixFindings?
        try parts.each { _, _, unpacker throws(TornValue) in
            guard let part = try? ReportJSON.decode(MatrixFindings.self, from: Data(unpacker.rest)) else {
                throw TornValue()
            }
            whole = whole?.added(part) ?? part
        }
        guard let whole else { throw CommandProblem("there are no parts") }
        return try tell(whole, stop: nil)
    }
}

extension MatrixFindings {
    /// With the runs of another part. The first death by place is that of the part that comes first.
    fileprivate func added(_ other: MatrixFindings) -> MatrixFindings {
        var sum = self
        for (row, theirs) in other.report.rows.enumerated() where sum.report.rows.indices.contains(row) {
            for (place, cell) in theirs.cells.enumerated() where cell != nil {
                sum.report.rows[row].cells[place] = cell
            }
        }
        sum.hasEnded = hasEnded || other.hasEnded
        sum.death = death ?? other.death
        return sum
    }
}
