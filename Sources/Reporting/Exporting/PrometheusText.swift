// Metrics in Prometheus' text exposition format, version 0.0.4.
// Pure; any thread.

package enum PrometheusText {
    /// - Returns: each metric once, with its help and type, without times: a textfile collector refuses those.
    package static func render(_ metrics: [ExportedMetric], of run: ExportedRun) -> String {
        let what = [("version", run.version), ("clock", run.clock)].map { ExportedMetric.Label(name: $0, value: $1) }
        var text = head("stampede_run_info", .gauge, "Always 1: the labels describe the run.")
        text += "stampede_run_info{\((run.labels + what).map(pair).joined(separator: ","))} 1\n"
        for metric in metrics {
            let name = name(of: metric)
            text += head(name, metric.kind, metric.help)
            for sample in metric.samples {
                let labels = run.labels + [sample.label].compactMap(\.self)
                write(sample.value, name, labels.map(pair), into: &text)
            }
        }
        return text
    }

    /// `stampede_`, the report's name, the base unit and, of counters, `_total`: the name under which a collector that
    /// exports to Prometheus has the same metric of `OTLPRequest`.
    package static func name(of metric: ExportedMetric) -> String {
        let unit =
            switch metric.unit {
            case .none: ""
            case .seconds: "_seconds"
            // A name that has it already says enough.
            case .bytes: metric.name.contains("bytes") ? "" : "_bytes"
            case .ratio: "_ratio"
            }
        return "stampede_\(metric.name)\(unit)\(metric.kind == .counter ? "_total" : "")"
    }

    private static func head(_ name: String, _ kind: ExportedMetric.Kind, _ help: String) -> String {
        "# HELP \(name) \(escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private static func write(
        _ value: ExportedMetric.Value, _ name: String, _ labels: [String], into text: inout String
    ) {
        func line(_ value: String, _ ending: String = "", _ more: [String] = []) {
            text += "\(name)\(ending){\((labels + more).joined(separator: ","))} \(value)\n"
        }
        switch value {
        case .count(let count): line("\(count)")
        case .nanoseconds(let length): line(seconds(Int128(length)))
        case .number(let number): line(Int(exactly: number).map { "\($0)" } ?? "\(number)")
        case .histogram(let histogram):
            var reached = 0
            for (bound, count) in zip(ExportedHistogram.bounds, histogram.counts) {
                reached += count
                line("\(reached)", "_bucket", ["le=\"\(seconds(Int128(bound)))\""])
            }
            line("\(histogram.count)", "_bucket", ["le=\"+Inf\""])
            line(seconds(histogram.sum), "_sum")
            line("\(histogram.count)", "_count")
        }
    }

    /// In decimal digits, exact.
    private static func seconds(_ nanoseconds: Int128) -> String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = "\(rest + 1_000_000_000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (nanoseconds < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }

    private static func pair(_ label: ExportedMetric.Label) -> String {
        "\(label.name)=\"\(escaped(label.value, quotes: true))\""
    }

    /// By scalars: a line's end after a carriage return is no letter of its own.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: #"\\"#.unicodeScalars)
            case "\n": escaped.append(contentsOf: #"\n"#.unicodeScalars)
            case "\"" where quotes: escaped.append(contentsOf: #"\""#.unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
