// All parts of a run as the run itself: the very report that it had had undivided, but for its host section.
// Reads the parts' files one after the other; one call at a time.

package import Engine
package import Files
import Foundation
import Judgement
package import ReportModel
import Scenario
import Text

/// Checks parts before anything is done with them, and adds them up as a run adds up what its workers have found.
package struct PartMerge {
    /// What all of them are parts of.
    package let work: PlannedWork
    /// In the order of their numbers.
    private let folders: [String]

    /// - Parameter folders: of the parts, in any order.
    package init(_ folders: [String]) throws(PartErrors) {
        var check = PartCheck()
        for folder in folders { check.look(at: folder) }
        (work, self.folders) = try check.checked()
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
        try each { folder, header, unpacker throws(TornValue) in
            try whole.add(&unpacker, options.scenario.store.catalog)
            if header.operations != nil { operations?.adopt("\(folder)/\(PartFile.operationsName)") }
            if let host = header.host { machines.append(host) }
        }
        return (whole.result(options), machines)
    }

    /// Reads what each part has found, in the order of their numbers.
    package func each(
        _ take: (_ folder: String, _ header: PartFile.Header, inout Unpacker) throws(TornValue) -> Void
    ) throws(PartErrors) {
        for folder in folders {
            // It was whole when it was looked at.
            guard let file = try? PartFile(in: folder) else { throw damaged(folder) }
            var unpacker = file.unpacker
            do {
                try take(folder, file.header, &unpacker)
            } catch {
                throw damaged(folder)
            }
        }
    }

    private func damaged(_ folder: String) -> PartErrors {
        PartErrors(all: [PartError(path: folder, problem: .damaged(name: PartFile.name))])
    }
}

/// Looks at all parts, and collects what is wrong.
private struct PartCheck {
    private var problems: [PartError] = []
    private var first: (path: String, work: PlannedWork)?
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
            for (name, sum) in [("report.json", header.report), (PartFile.operationsName, header.operations)] {
                if let sum { compare(name, with: sum, in: folder) }
            }
            take(header.work, folder)
        } catch {
            complain(folder, .unreadable(name: PartFile.name, reason: error.reason))
        }
    }

    /// What the report alone says of a part that has no file.
    private func told(of folder: String) -> PartError.Problem? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/report.json"),
            let report = try? Report(json: data)
        else { return nil }
        return report.shard == nil ? .noPart : nil
    }

    private mutating func compare(_ name: String, with sum: String, in folder: String) {
        do {
            let found = Checksum.digits(try Checksum.ofFile("\(folder)/\(name)"))
            if found != sum { complain(folder, .damaged(name: name)) }
        } catch {
            let isGone = error.number == ENOENT
            complain(folder, isGone ? .fileMissing(name: name) : .unreadable(name: name, reason: error.reason))
        }
    }

    private mutating func take(_ work: PlannedWork, _ folder: String) {
        if work.build != BuildIdentity.current {
            if !hasSaidBuild { complain(folder, .otherBuild(version: work.version)) }
            hasSaidBuild = true
            return
        }
        guard let shard = work.shard else { return complain(folder, .noPart) }
        guard let first else {
            (self.first, known[shard.index]) = ((folder, work), folder)
            return
        }
        let differences = work.differences(from: first.work)
        if !differences.isEmpty { return complain(folder, .differs(differences, first: first.path)) }
        if let other = known[shard.index] { return complain(folder, .twice(part: shard.text, other: other)) }
        known[shard.index] = folder
    }

    private mutating func complain(_ folder: String, _ problem: PartError.Problem) {
        problems.append(PartError(path: folder, problem: problem))
    }

    func checked() throws(PartErrors) -> (work: PlannedWork, folders: [String]) {
        var problems = problems
        let count = first?.work.shard?.count ?? 0
        // What is there and wrong may be what seems to be missing.
        let missing = (1...max(1, count)).filter { known[$0] == nil }
        if problems.isEmpty, !missing.isEmpty {
            problems.append(PartError(path: "", problem: .missing(missing, of: count)))
        }
        guard problems.isEmpty, let work = first?.work else { throw PartErrors(all: problems) }
        return (work, known.sorted { $0.key < $1.key }.map(\.value))
    }
}
