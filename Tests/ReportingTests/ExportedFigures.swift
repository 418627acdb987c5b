// Prometheus' text as tests read it, and figures to be told.

import Foundation
import Metrics
import Testing

@testable import Engine
@testable import ReportModel
@testable import Reporting

enum ExportedFigures {
    static func run(
        scenario: String = "Shop", seed: UInt64 = 7, shard: Shard? = nil
    ) -> ExportedRun {
        ExportedRun(
            scenario: scenario, client: "reference", seed: seed, shard: shard, version: "9.8.7", clock: "virtual",
            startedAt: Date(timeIntervalSince1970: 1_704_164_645.25))
    }

    static func snapshot() -> RunBoard.Snapshot {
        var snapshot = RunBoard.Snapshot()
        (snapshot.usersDone, snapshot.purchases, snapshot.violations, snapshot.crashes) = (30, 40, 2, 5)
        snapshot.purchaseP95 = 1_234_567_890
        return snapshot
    }

    static func text(of report: Report, _ run: ExportedRun = run()) -> String {
        PrometheusText.render(ExportedMetric.final(of: run, report, snapshot(), users: 100), of: run)
    }

    /// With figures that tests can reckon with.
    static func report() -> Report {
        var report = SampleReports.unknown
        (report.metrics, report.host.metrics, report.subMetrics) = ([], [], nil)
        (report.thresholds, report.host.thresholds) = ([], [])
        report.tell(SampleReports.tally().measurements)
        return report
    }
}

/// Read line by line; whatever the format does not allow is an issue of the test.
struct ExpositionText {
    /// By name and labels: as it is written, without the value.
    private(set) var values: [String: String] = [:]
    private(set) var types: [String: String] = [:]
    /// The labels of each sample but those of all of them.
    private(set) var labels: [String] = []

    init(_ text: String) throws {
        #expect(text.hasSuffix("\n"))
        var family = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let help = line.wholeMatch(of: #/# HELP ([a-z0-9_]+) (.+)/#) {
                family = String(help.1)
                #expect(types[family] == nil, "\(family) comes twice, or not in one piece")
                #expect(help.2.wholeMatch(of: #/([^\\]|\\\\|\\n)+/#) != nil, "\(line)")
            } else if let type = line.wholeMatch(of: #/# TYPE ([a-z0-9_]+) (counter|gauge|histogram)/#) {
                #expect(type.1 == family)
                types[family] = String(type.2)
            } else {
                let form = #/([a-z0-9_]+)\{((?:[a-z_]+="(?:[^"\\]|\\\\|\\"|\\n)*",?)+)\} (-?[0-9.]+(e[-+][0-9]+)?)/#
                let sample = try #require(line.wholeMatch(of: form), "\(line)")
                let endings = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                #expect(endings.contains { family + $0 == sample.1 }, "\(line) under \(family)")
                let key = "\(sample.1){\(sample.2)}"
                #expect(values.updateValue(String(sample.3), forKey: key) == nil, "\(key) comes twice")
                labels.append(String(sample.2))
            }
        }
    }

    /// Of all samples of that name whose labels hold the text.
    func sum(_ name: String, _ label: String = "") -> Int {
        found(name, label).reduce(0) { $0 + (Int($1.value) ?? .min / 2) }
    }

    func value(_ name: String, _ label: String = "") throws -> Double {
        let found = found(name, label)
        try #require(found.count == 1, "\(name): \(found)")
        return try #require(found.first.flatMap { Double($0.value) })
    }

    private func found(_ name: String, _ label: String) -> [String: String] {
        values.filter { $0.key.hasPrefix(name + "{") && (label.isEmpty || $0.key.contains(label)) }
    }
}
