// Options about who else is told of a run while it goes on.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import Reporting
import Scenario

struct WatchingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write metrics into this file for Prometheus' textfile collectors, every few seconds and at the end with all \
            metrics of the report.
            """, valueName: "file.prom"),
        completion: .file(extensions: ["prom"]))
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            """
            Send the same metrics to an OpenTelemetry collector, as OTLP over HTTP in JSON. A URL without a path means \
            /v1/metrics there. Headers come from OTEL_EXPORTER_OTLP_HEADERS.
            """, valueName: "url"))
    var otlp: String?

    var isAsked: Bool { metrics != nil || otlp != nil }

    /// Before the run: what cannot be written or reached by such a name is told at once.
    ///
    /// - Parameter shard: the part of a run that this is; nil: it is all of one.
    /// - Returns: nil where nobody is told.
    func begin(_ run: Run, shard: Shard? = nil, startedAt: Date) throws -> MetricsExport? {
        if !isAsked { return nil }
        let endpoint = try otlp.map { try OTLPEndpoint($0, environment: ProcessInfo.processInfo.environment) }
        let scenario = run.options.scenario
        let described = ExportedRun(
            scenario: scenario.name, client: run.options.client.name, seed: scenario.seed, shard: shard,
            clock: scenario.clock.rawValue, startedAt: startedAt)
        return try MetricsExport(of: described, run.board, file: metrics.map { try MetricsFile($0) }, endpoint)
    }
}
