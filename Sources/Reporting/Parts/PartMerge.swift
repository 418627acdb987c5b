// All parts of a run as the run itself: the very report that it had had undivided, but for its host section.
// Reads the parts' files one after the other; one call at a time.

package import Engine
import Foundation
import Judgement
import Metrics
import Scenario
import Statics
import Text

/// Checks parts before anything is done with them, and adds them up as a run adds up what its workers have found.
package struct PartMerge {
    /// What all of them are parts of.
    package let plan: PlannedRun
    /// In the order of their numbers.
    private var folders: [String]

    /// - Parameter folders: of the parts, in any order.
    package init(_ folders: [String]) throws(PartErrors) {
        var check = PartCheck()
        for folder in folders { check.look(at: folder) }
        (plan, self.folders) = try check.checked()
    }

    /// What the run came to.
    ///
    /// - Parameters:
    ///   - options: those of the plan.
    ///   - operations: where what users asked for comes together; nil where the plan does not keep it.
    package func merged(
        _ options: RunOptions, operations: OperationStore?
    ) throws(PartErrors) -> (result: RunResult, machines: [Report.Host]) {
        var whole = RunPart(options.measures)
        var machines: [Report.Host] = []
        for folder in folders {
            // It was whole when it was looked at.
            guard let file = try? PartFile(in: folder) else { throw damaged(folder) }
            var unpacker = Unpacker(file.findings[...]) { [map = file.header.map] in map.place($0, in: .here) }
            do {
                try whole.add(&unpacker, options.scenario.store.catalog)
            } catch {
                throw damaged(folder)
            }
            if plan.keepsOperations { operations?.adopt("\(folder)/\(PartFile.operationsName)") }
            machines.append(file.header.host)
        }
        return (whole.result(options), machines)
    }

    private func damaged(_ folder: String) -> PartErrors {
        PartErrors(all: [PartError(path: folder, problem: .damaged(name: PartFile.name))])
    }
}

/// Looks at all parts, and collects what is wrong.
private struct PartCheck {
    private var problems: [PartError] = []
    private var first: (path: String, plan: PlannedRun)?
    private var known: [Int: String] = [:]
    /// Said of one part it is said of all.
    private var hasSaidBuild = false

    mutating func look(at folder: String) {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(PartFile.name)") else {
            return complain(folder, told(of: folder) ?? .fileMissing(name: PartFile.name))
        }
        do {
            guard let file = try PartFile(in: folder) else { return complain(folder, .damaged(name: PartFile.name)) }
            let header = file.header
            try compare("\(folder)/report.json", with: header.report, folder, "report.json")
            if let sum = header.operations {
                try compare("\(folder)/\(PartFile.operationsName)", with: sum, folder, PartFile.operationsName)
            }
            take(header.plan, folder)
        } catch {
            let name = error.path.split(separator: "/").last.map(String.init) ?? error.path
            complain(
                folder,
                error.number == ENOENT ? .fileMissing(name: name) : .unreadable(name: name, reason: error.reason))
        }
    }

    /// What the report alone says of a part that has no file.
    private func told(of folder: String) -> PartError.Problem? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/report.json"),
            let report = try? Report(json: data)
        else { return nil }
        guard let shard = report.shard else { return .noPart }
        return report.verdict.outcome == .part ? nil : .unfinished(part: shard.text)
    }

    private mutating func compare(_ path: String, with sum: String, _ folder: String, _ name: String)
        throws(SystemError)
    {
        if Checksum.digits(try Checksum.ofFile(path)) != sum { complain(folder, .damaged(name: name)) }
    }

    private mutating func take(_ plan: PlannedRun, _ folder: String) {
        if plan.build != BuildIdentity.current {
            if !hasSaidBuild { complain(folder, .otherBuild(version: plan.version)) }
            hasSaidBuild = true
            return
        }
        guard let shard = plan.shard else { return complain(folder, .noPart) }
        guard let first else {
            (self.first, known[shard.index]) = ((folder, plan), folder)
            return
        }
        let differences = plan.differences(from: first.plan)
        if !differences.isEmpty { return complain(folder, .differs(differences, first: first.path)) }
        if let other = known[shard.index] { return complain(folder, .twice(part: shard.text, other: other)) }
        known[shard.index] = folder
    }

    private mutating func complain(_ folder: String, _ problem: PartError.Problem) {
        problems.append(PartError(path: folder, problem: problem))
    }

    func checked() throws(PartErrors) -> (plan: PlannedRun, folders: [String]) {
        var problems = problems
        let count = first?.plan.shard?.count ?? 0
        // What is there and wrong may be what seems to be missing.
        let missing = (1...max(1, count)).filter { known[$0] == nil }
        if problems.isEmpty, !missing.isEmpty {
            problems.append(PartError(path: "", problem: .missing(missing, of: count)))
        }
        guard problems.isEmpty, var plan = first?.plan else { throw PartErrors(all: problems) }
        plan.shard = nil
        return (plan, known.sorted { $0.key < $1.key }.map(\.value))
    }
}
