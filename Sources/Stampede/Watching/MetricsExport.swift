// Tells others how a run goes on, and what it came to.
// Main thread, but for what the ticker calls: never both at once.

import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import Text

// Unchecked: while the ticker goes, it alone writes; before and after it the main thread does.
final class MetricsExport: @unchecked Sendable {
    private let run: ExportedRun
    private let board: RunBoard
    private let file: MetricsFile?
    private let relay: OTLPRelay?

    /// In seconds. A collector looks every ten or fifteen.
    private static let period = 3.0

    /// Writes the file once, and starts what sends.
    init(of run: ExportedRun, _ board: RunBoard, file: MetricsFile?, _ endpoint: OTLPEndpoint?) throws {
        (self.run, self.board, self.file) = (run, board, file)
        try file?.begin(PrometheusText.render(Self.progress(of: run, board), of: run))
        relay = try endpoint.map { try OTLPRelay(to: $0) }
    }

    /// Does the work, and tells how it goes on. The process may keep to one thread meanwhile.
    func during<Result>(_ work: () -> Result) -> Result {
        let ticker = Ticker(every: Self.period) { [self] in tell(Self.progress(of: run, board)) }
        defer { ticker.stop() }
        return work()
    }

    /// Tells the end; what could not be told is said once, and changes nothing about the verdict.
    func finish(_ report: Report) {
        let metrics = ExportedMetric.final(of: run, report, board.snapshot(), users: board.usersTotal)
        file?.write(PrometheusText.render(metrics, of: run))
        if let problem = file?.problem {
            Terminal.warn(
                "the metrics could not be written to \(problem.path): \(problem.reason)",
                hint: "\(problem.hint); the verdict and the report are not affected")
        }
        if let relay, let problem = relay.finish(body(metrics)) {
            Terminal.warn(problem.text, hint: "\(problem.hint); the verdict and the report are not affected")
        }
    }

    private func tell(_ metrics: [ExportedMetric]) {
        file?.write(PrometheusText.render(metrics, of: run))
        if let relay { relay.offer(body(metrics)) }
    }

    private func body(_ metrics: [ExportedMetric]) -> Data {
        do {
            return try OTLPRequest(metrics, of: run, at: Date()).json()
        } catch {
            preconditionFailure("metrics cannot be encoded: \(error)")
        }
    }

    private static func progress(of run: ExportedRun, _ board: RunBoard) -> [ExportedMetric] {
        ExportedMetric.progress(of: run, board.snapshot(), users: board.usersTotal)
    }
}
