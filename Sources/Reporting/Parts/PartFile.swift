// What a part of a run came to, as a file that only the same build reads: all that a merge needs of it.
// Touches the file system only; any thread.

import Engine
package import Files
package import Foundation
import Metrics
package import ReportModel
package import Statics

package struct PartFile: Sendable {
    package struct Header: Codable, Sendable {
        package var work: PlannedWork
        /// Of the machine that did it, without the figures that the part's own report has; nil: it has no report.
        package var host: Report.Host?
        /// A sum over the part's report.json.
        package var report: String?
        /// Of the file of operations beside it; nil: they were not kept.
        package var operations: String?
        package var map: CodeMap
    }

    package let header: Header
    /// As its process has packed it.
    package let findings: [UInt8]

    package static let name = "part.stampede"
    package static let operationsName = "operations.part"

    private enum Kind: UInt8 {
        case header, findings
    }

    package init(
        _ plan: PlannedRun, _ report: Report, json: Data, operations: String?, findings: [UInt8]
    ) throws(SystemError) {
        header = Header(
            work: .run(plan), host: report.host.asPart, report: Checksum.digits(Checksum.of(json)),
            operations: try operations.map { path throws(SystemError) in
                Checksum.digits(try Checksum.ofFile(path))
            }, map: .here)
        self.findings = findings
    }

    /// Of a command that is no run.
    package init(_ command: PlannedCommand, findings: [UInt8]) {
        header = Header(work: .command(command), host: nil, report: nil, operations: nil, map: .here)
        self.findings = findings
    }

    /// What was found, to be read as where it was found.
    package var unpacker: Unpacker {
        Unpacker(findings[...]) { [map = header.map] in map.place($0, in: .here) }
    }

    /// The whole file.
    package func data() throws -> Data {
        let header = FileRecord(kind: Kind.header.rawValue, bytes: [UInt8](try ReportJSON.encode(header)))
        let findings = FileRecord(kind: Kind.findings.rawValue, bytes: findings)
        return Data(header.data + findings.data)
    }

    /// What the file of a part's folder says; nil: it is not whole, or not what was written.
    package init?(in folder: String) throws(SystemError) {
        let reader = try RecordReader("\(folder)/\(Self.name)")
        guard case .record(let first) = try reader.next(), first.kind == Kind.header.rawValue,
            case .record(let second) = try reader.next(), second.kind == Kind.findings.rawValue,
            try reader.next() == .end,
            let header = try? ReportJSON.decode(Header.self, from: Data(first.bytes))
        else { return nil }
        (self.header, findings) = (header, second.bytes)
    }
}

extension Report.Host {
    /// Of one part among many: the figures are in the report of the whole.
    fileprivate var asPart: Report.Host {
        var copy = self
        (copy.metrics, copy.subMetrics, copy.thresholds, copy.earlier) = ([], nil, [], nil)
        return copy
    }
}
