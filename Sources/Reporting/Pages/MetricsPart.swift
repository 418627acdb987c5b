// All that was measured, as tables on the page; and the machine and scenario it was measured with.
// Pure; any thread.

import Metrics
import ReportModel
import Text

enum MetricsPart {
    static func render(_ metrics: [ReportMetric], caption: String) -> String {
        [trends(metrics, caption), counters(metrics, caption), rates(metrics, caption), gauges(metrics, caption)]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func name(_ metric: ReportMetric) -> String {
        // Of a part, the whole has the meaning.
        let meaning = MetricName(name: metric.name)?.meaning ?? "A part of the metric."
        return "<code>\(HTMLText.escaped(metric.name))</code><small>\(HTMLText.escaped(meaning))</small>"
    }

    private static func sub(_ text: String) -> String { "<span class=\"sub\">\(HTMLText.escaped(text))</span>" }

    private static func trends(_ metrics: [ReportMetric], _ caption: String) -> String {
        let numbers = ["count", "avg", "min", "med", "p90", "p95", "p99", "p99.9", "max"]
        let rows = metrics.filter { $0.kind == .trend }.flatMap { metric -> [[String]] in
            var rows: [[String]] = []
            if let response = metric.response { rows.append([name(metric)] + cells(response)) }
            if let service = metric.service, service != metric.response {
                rows.append([sub("from the actual start")] + cells(service))
            }
            for (outcome, response) in metric.outcomesApart { rows.append([sub(outcome)] + cells(response)) }
            if let instant = metric.instant {
                // They took no time, and there is nothing else to say of them.
                let figures = [HumanNumbers.count(instant)] + numbers.dropFirst().map { _ in "" }
                rows.append([sub("answered at once")] + figures)
            }
            return rows
        }
        return TablePart.html("\(caption): durations", [.text("Metric")] + numbers.map { .number($0) }, rows)
    }

    private static func cells(_ trend: ReportMetric.Trend) -> [String] {
        let values = [trend.min, trend.med, trend.p90, trend.p95, trend.p99, trend.p999, trend.max].map(Double.init)
        return [HumanNumbers.count(trend.count)]
            + ([trend.avg] + values).map { HTMLText.escaped(HumanNumbers.duration(nanoseconds: $0)) }
    }

    private static func counters(_ metrics: [ReportMetric], _ caption: String) -> String {
        let rows = metrics.filter { $0.kind == .counter }.flatMap { metric -> [[String]] in
            let rate = metric.perSecond.map(HumanNumbers.perSecond) ?? ""
            let tags = (metric.tags ?? [:]).sorted { $0.key < $1.key }
            let parts =
                metric.stages == nil
                ? tags.map { ($0.key, $0.value) }
                : metric.failuresByCode + metric.failuresByStage.map { ("stage \($0)", $1) }
            return [[name(metric), HumanNumbers.count(metric.count ?? 0), HTMLText.escaped(rate)]]
                + parts.map { [sub($0), HumanNumbers.count($1), ""] }
        }
        return TablePart.html("\(caption): counters", [.text("Metric"), .number("Count"), .number("Per second")], rows)
    }

    private static func rates(_ metrics: [ReportMetric], _ caption: String) -> String {
        let rows = metrics.filter { $0.kind == .rate }.compactMap { metric -> [String]? in
            guard let passes = metric.passes, let total = metric.total else { return nil }
            return [
                name(metric), HumanNumbers.share(passes: passes, total: total),
                "\(HumanNumbers.count(passes)) of \(HumanNumbers.count(total))",
            ]
        }
        return TablePart.html("\(caption): rates", [.text("Metric"), .number("Share"), .number("Times")], rows)
    }

    private static func gauges(_ metrics: [ReportMetric], _ caption: String) -> String {
        let rows = metrics.filter { $0.kind == .gauge }.map { metric in
            let value = metric.value.map { HumanNumbers.value($0, unit: metric.unit) }
            return [name(metric)]
                + [value, metric.levelRange?.low, metric.levelRange?.high].map { HTMLText.escaped($0 ?? "") }
        }
        return TablePart.html(
            "\(caption): levels", [.text("Metric"), .number("Value"), .number("Least"), .number("Most")], rows)
    }
}

enum MachinePart {
    /// More of a scenario than this is left to report.json.
    private static let sourceMax = 100_000

    static func render(_ report: Report) -> String {
        let host = report.host
        var facts = [
            ("Started", host.startedAt), ("System", host.system), ("Workers", "\(host.workers) on \(host.cores) cores"),
            ("Real time", HumanNumbers.duration(nanoseconds: host.durationSeconds * 1e9)),
        ]
        if let rate = host.purchasesPerSecond { facts.append(("Purchases", HumanNumbers.perSecond(rate))) }
        if let peak = host.memoryPeakBytes {
            facts.append(("Memory", HumanNumbers.bytes(Double(peak)) + " at its peak"))
        }
        facts.append(("Written by", "\(report.tool.name) \(report.tool.version)"))
        if !host.dependencies.isEmpty {
            let versions = host.dependencies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            facts.append(("Built with", versions.joined(separator: ", ")))
        }
        let rendered = MetricsPart.render(host.metrics + (host.subMetrics ?? []), caption: "This machine")
        var parts = [FactsPart.html(facts)]
        if let machines = host.parts {
            parts.append(machines.allSatisfy { $0.shard != nil } ? shards(machines) : table(machines, report.run.seeds))
        }
        return (parts + [rendered]).joined(separator: "\n")
    }

    /// The parts of one run, side by side.
    private static func shards(_ machines: [Report.Host]) -> String {
        let slow = Set(Report.Host.slowParts(machines).compactMap(\.shard))
        let rows = machines.map { machine in
            let rate = machine.users.map { Double($0) / max(machine.durationSeconds, 1e-9) }
            let isSlow = machine.shard.map(slow.contains) ?? false
            return [
                HTMLText.escaped(machine.shard ?? "") + (isSlow ? " <b class=\"doubtful\">slow</b>" : ""),
                HTMLText.escaped(machine.machine ?? ""), HTMLText.escaped(machine.startedAt),
                machine.users.map { HTMLText.escaped(HumanNumbers.count($0)) } ?? "", "\(machine.workers)",
                HTMLText.escaped(HumanNumbers.duration(nanoseconds: machine.durationSeconds * 1e9)),
                rate.map { HTMLText.escaped("\(HumanNumbers.number($0)) users/s") } ?? "",
                machine.memoryPeakBytes.map { HTMLText.escaped(HumanNumbers.bytes(Double($0))) } ?? "",
            ]
        }
        let words = ["Part", "Machine", "Started"].map(TablePart.Column.text)
        let numbers = ["Users", "Workers", "Real time", "Speed", "Memory"].map(TablePart.Column.number)
        return TablePart.html("The parts of the run", words + numbers, rows)
    }

    /// The machines of a merged report, side by side.
    private static func table(_ machines: [Report.Host], _ seeds: [UInt64]) -> String {
        let rows = machines.enumerated().map { place, machine in
            [
                place < seeds.count ? "\(seeds[place])" : "", HTMLText.escaped(machine.startedAt),
                HTMLText.escaped(machine.system), "\(machine.workers)", "\(machine.cores)",
                HTMLText.escaped(HumanNumbers.duration(nanoseconds: machine.durationSeconds * 1e9)),
                machine.purchasesPerSecond.map { HTMLText.escaped(HumanNumbers.perSecond($0)) } ?? "",
                machine.memoryPeakBytes.map { HTMLText.escaped(HumanNumbers.bytes(Double($0))) } ?? "",
            ]
        }
        let words = ["Seed", "Started", "System"].map(TablePart.Column.text)
        let numbers = ["Workers", "Cores", "Real time", "Purchases", "Memory"].map(TablePart.Column.number)
        return TablePart.html("The machines of the runs", words + numbers, rows)
    }

    static func scenario(_ report: Report) -> String {
        let source = report.scenario.source
        if source.isEmpty { return "" }
        let shown = source.utf8.count <= sourceMax ? source : String(source.prefix(sourceMax / 4)) + "\n…"
        let about = report.scenario.description
        let story = about.isEmpty ? "" : "<p class=\"story\">\(HTMLText.escaped(about))</p>\n"
        return """
            \(story)<details><summary>\(HTMLText.escaped(report.scenario.file))</summary>
            <pre class="scroll" tabindex="0" role="region" aria-label="The scenario's file"><code>\
            \(HTMLText.escaped(shown))</code></pre>
            </details>
            """
    }
}
