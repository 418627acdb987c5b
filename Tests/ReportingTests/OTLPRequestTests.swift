// Metrics as an OpenTelemetry collector takes them.

import Engine
import Foundation
import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct OTLPRequestTests {
    // 64-bit numbers are texts, members of enumerations numbers, and only the member of a metric's kind is there.
    @Test func otlpRequestIsTheProtocolsJSON() throws {
        let run = ExportedFigures.run(seed: .max, shard: Shard(index: 3, of: 16))
        let tally = Tally()
        for length in [1_000, 2_000_000] as [Int64] { tally.record(.finishDuration, nanoseconds: length) }
        let histogram = try #require(
            tally.measurements[.finishDuration].response.flatMap(ReportMetric.Trend.init)
                .flatMap(ExportedHistogram.init))
        let metrics = [
            ExportedMetric(
                "faults", .counter, .none, "Faults.",
                [
                    ("crash", 31), ("lost", Int.max),
                ].map {
                    ExportedMetric.Sample(label: ExportedMetric.Label(name: "kind", value: $0), value: .count($1))
                }),
            ExportedMetric("purchase_success", .gauge, .ratio, "Share.", .number(0.5)),
            ExportedMetric("finish_duration", .histogram, .seconds, "How long.", .histogram(histogram)),
        ]
        let at = Date(timeIntervalSince1970: 1_704_164_650.5)
        let json = String(decoding: try OTLPRequest(metrics, of: run, at: at).json(), as: UTF8.self)
        let zeros = { (count: Int) in Array(repeating: #""0""#, count: count) }
        let counts = (["\"1\""] + zeros(9) + ["\"1\""] + zeros(23)).joined(separator: ",")
        let bounds = ExportedHistogram.bounds.map {
            let seconds = Double($0) / 1e9
            return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
        }.joined(separator: ",")
        let span = #""startTimeUnixNano":"1704164645250000000","timeUnixNano":"1704164650500000000""#
        func attribute(_ key: String, _ value: String) -> String {
            #"{"key":"\#(key)","value":{"stringValue":"\#(value)"}}"#
        }
        let resource = [
            ("service.name", "stampede"), ("service.version", "9.8.7"),
            ("service.instance.id", "Shop reference 18446744073709551615 3/16"), ("stampede.scenario", "Shop"),
            ("stampede.client", "reference"), ("stampede.seed", "18446744073709551615"), ("stampede.shard", "3/16"),
            ("stampede.clock", "virtual"),
        ].map(attribute).joined(separator: ",")
        let told = [
            #"{"description":"Faults.","name":"stampede.faults","sum":{"aggregationTemporality":2,"dataPoints":["#
                + #"{"asInt":"31","attributes":[\#(attribute("kind", "crash"))],\#(span)},"#
                + #"{"asInt":"9223372036854775807","attributes":[\#(attribute("kind", "lost"))],\#(span)}],"#
                + #""isMonotonic":true},"unit":""}"#,
            #"{"description":"Share.","gauge":{"dataPoints":[{"asDouble":0.5,"attributes":[],\#(span)}]},"#
                + #""name":"stampede.purchase_success","unit":"1"}"#,
            #"{"description":"How long.","histogram":{"aggregationTemporality":2,"dataPoints":[{"attributes":[],"#
                + #""bucketCounts":[\#(counts)],"count":"2","explicitBounds":[\#(bounds)],"max":0.002,"min":1e-06,"#
                + #""startTimeUnixNano":"1704164645250000000","sum":0.002001,"timeUnixNano":"1704164650500000000"}]},"#
                + #""name":"stampede.finish_duration","unit":"s"}"#,
        ].joined(separator: ",")
        #expect(
            json == #"{"resourceMetrics":[{"resource":{"attributes":[\#(resource)]},"scopeMetrics":[{"#
                + #""metrics":[\#(told)],"#
                + #""scope":{"name":"stampede","version":"9.8.7"}}]}]}"#)
    }

    // A line is a body for what sends it.
    @Test func otlpRequestIsOneLine() throws {
        let run = ExportedFigures.run(scenario: "a\nb\r\u{2028}")
        let metrics = ExportedMetric.final(
            of: run, ExportedFigures.report(), ExportedFigures.snapshot(), users: 100)
        let json = try OTLPRequest(metrics, of: run, at: Date(timeIntervalSince1970: 0)).json()
        #expect(!json.contains(UInt8(ascii: "\n")))
    }

    // A collector that hands them on to Prometheus writes dots as underscores and adds units: both ways there is one name.
    @Test(arguments: SampleReport.allCases)
    func otlpNamesMatchPrometheusNames(sample: SampleReport) {
        let metrics = ExportedMetric.final(
            of: ExportedFigures.run(), sample.report, ExportedFigures.snapshot(), users: 100)
        for metric in metrics {
            let name = OTLPRequest.name(of: metric).map { $0 == "." ? "_" : $0 }
            #expect(PrometheusText.name(of: metric).hasPrefix(String(name)))
        }
    }
}
