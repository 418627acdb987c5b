// What report.json looks like, for programs that read it.
// Pure; any thread. A test holds it and the reports together.

import Engine
package import Foundation
import Hosting
import Judgement
import Metrics
import ReportModel
import Scenario
import Simulation

/// The JSON Schema of report.json.
package enum ReportSchema {
    package static func json() -> Data {
        SchemaValue.object(root).document(
            title: "The report of a run of stampede, schema version \(Report.schemaVersionCurrent)",
            dialect: .draft2020,
            definitions: [
                "threshold": threshold, "metric": metric, "sub_metric": subMetric, "trend": trend, "verdict": verdict,
                "machine": .object(machine), "sum": sum,
            ])
    }

    private typealias Value = SchemaValue

    private static let root: [SchemaValue.Field] = [
        Value.field("schema_version", .constant(Report.schemaVersionCurrent)),
        Value.field("tool", .object([Value.field("name", .string()), Value.field("version", .string())])),
        Value.field("scenario", scenario),
        Value.field("run", run),
        Value.optional(
            "shard",
            .object([
                Value.field("index", .integer(from: 1)), Value.field("of", .integer(from: 1)),
                Value.field("cells", .integer(from: 0), "Of the part."), Value.field("users", .integer(from: 0)),
                Value.field("plan", .string(), "What all parts of the run have in common."),
            ]), "The part of the run that this is the report of; absent: all of it."),
        Value.field("verdict", .reference("verdict")),
        Value.field(
            "thresholds", .array(of: .reference("threshold")), "Those on metrics that do not depend on the machine."),
        Value.field("violations", violations),
        Value.field(
            "warnings", violations, "What fails no run by itself. Its stories are numbered after those of violations."),
        Value.field(
            "harness_faults", .array(of: .string()), "Breaches of the simulation's own invariants: bugs of stampede."),
        Value.field("simulated_duration_ns", .integer(from: 0)),
        Value.field("notes", .array(of: .string())),
        Value.field("metrics", .array(of: .reference("metric")), "Sorted by name. What was not measured is absent."),
        Value.optional(
            "sub_metrics", .array(of: .reference("sub_metric")), "The parts of metrics that the scenario names."),
        Value.optional("series", series, "The run over time; absent when nothing happened."),
        Value.field("fault_windows", .array(of: faultWindow), "Simulated time in which something was meant to fail."),
        Value.field("stages", .array(of: stageBand), "Where the time of purchases went, from quick ones to slow ones."),
        Value.field(
            "host", host, "What only this machine and this moment explain: all that may differ between two runs."),
    ]

    // MARK: What was run

    private static let scenario: SchemaValue = .object([
        Value.field("name", .string()), Value.field("description", .string()),
        Value.field("file", .string(), "Its path, from the folder that the command ran in."),
        Value.field("source", .string(), "The whole text of the file."),
        Value.optional("catalog", .string(), "The whole text of its catalog, where it came from a file."),
    ])

    private static let run: SchemaValue = .object([
        Value.field("seed", .integer(from: 0)), Value.field("clock", .string(among: ["virtual", "wall"])),
        Value.field("client", .string()), Value.field("client_options", .map(to: .string())),
        Value.field("users", .integer(from: 0), "Whom the load uses."),
        Value.field("population", .integer(from: 0), "All there are."), Value.field("cells", .integer(from: 0)),
        Value.optional("only_user", .integer(from: 0), "Set when a replay ran this user alone."),
        Value.optional("tags", .map(to: .string()), "What --tag called the run, by name; absent without any."),
        Value.optional(
            "parts",
            .array(of: .object(["seed", "users", "population", "cells"].map { Value.field($0, .integer(from: 0)) })),
            "The runs that a merged report was made of; the seed beside it is that of the first."),
    ])

    // MARK: Judgements

    private static let verdict: SchemaValue = .object([
        Value.field("outcome", .string(among: Report.Verdict.Outcome.allCases.map(\.rawValue))),
        Value.field("exit_code", .integer(from: 0), "What the process returned."),
        Value.field("reasons", .array(of: reason), "The gravest first; empty when passed."),
    ])

    private static let reason: SchemaValue = .object([
        Value.field("kind", .string(among: Report.Reason.Kind.allCases.map(\.rawValue))),
        Value.field("sentence", .string(), "For whoever reads nothing else."),
        Value.optional("seed", .integer(from: 0), "Of the run that it is of, in a merged report."),
        Value.optional("journey", .string(), "That it is of, in a sweep."),
        Value.optional("count", .integer(from: 0), "Of what the kind is about: times, users, invariants, findings."),
        Value.optional("how", .string(), "What ended a worker process."),
        Value.optional(
            "blame", .string(among: WorkerDeath.Blame.allCases.map(\.rawValue)),
            "Whose doing that was."),
        Value.optional("unjudged", .integer(from: 0), "Users that were not judged."),
        Value.optional("user", .integer(from: 0)), Value.optional("cell", .integer(from: 0)),
        Value.optional("fault", .string(), "What the harness, or a file, says against itself."),
        Value.optional("fault_facts", faultFacts, "The same as facts."),
        Value.optional("trial", .string()), Value.optional("scenario", .integer(from: 0)),
        Value.optional("threshold", .object([Value.field("metric", .string()), Value.field("expression", .string())])),
        Value.optional(
            "breach",
            .object([
                Value.field("is_of_violations", .boolean), Value.field("ended_run", .boolean),
                Value.optional("actual", .number, "What it was held against, in its unit."),
                Value.optional("unit", .string(among: ReportUnit.allCases.map(\.rawValue))),
            ]),
            "How the threshold was broken."),
        Value.optional(
            "sign",
            .object([
                Value.field("measure", .string(among: ["pressure", "steal", "lag"])),
                Value.field("value", .number, "A share, or nanoseconds."),
            ]), "That the machine could not keep up."),
        Value.optional("request", .string(among: RequestKind.allCases.map(\.rawValue)), "What users asked for."),
        Value.optional("refused", .integer(from: 0), "Of these requests."),
        Value.optional("rules", .array(of: .string())),
        Value.optional("accepted", .integer(from: 0), "Findings beside these."),
        Value.optional("finding", .string()), Value.optional("until", .string(), "The day on which it ends."),
    ])

    private static let faultFacts: SchemaValue = .object([
        Value.field("kind", .string(among: FaultFacts.Kind.allCases.map(\.rawValue))),
        Value.optional("transaction", .integer(), "The store's identifier."),
        Value.optional("times", .integer(from: 0)),
        Value.optional("handle", .integer(), "A transaction of the device, which the store may not know."),
        Value.optional("from_state", .string()), Value.optional("to_state", .string()),
        Value.optional("launch", .integer(), "Of the app."), Value.optional("effect", .string()),
        Value.optional("from_ns", .integer()), Value.optional("to_ns", .integer()),
        Value.optional("mishap", .string(), "That did not happen."),
        Value.optional("cell", .integer(from: 0)), Value.optional("problem", .string()),
    ])

    private static let threshold: SchemaValue = .object([
        Value.field("metric", .string(), "With its tag, as the scenario writes it."),
        Value.field("base", .string(), "The metric alone."), Value.field("expression", .string(), "What was judged."),
        Value.optional(
            "written",
            .object([
                Value.field("expression", .string()),
                Value.field("users", .integer(from: 1), "How many the scenario is for."),
            ]), "How the scenario has it, where the run has another number of users."),
        Value.field("outcome", .string(among: Report.Threshold.Outcome.allCases.map(\.rawValue))),
        Value.optional("actual", .number, "In the unit; absent when nothing was measured."),
        Value.field("limit", .number, "What it was held against, in the unit."),
        Value.field("unit", unit),
    ])

    private static let unit: SchemaValue = .string(among: ReportUnit.allCases.map(\.rawValue))
    private static let severity: SchemaValue = .string(among: Severity.allCases.map(\.rawValue))
    private static let rule: SchemaValue = .string(among: AuditRule.allCases.map(\.rawValue))

    private static let violations: SchemaValue = .object([
        Value.field("total", .integer(from: 0)),
        Value.field(
            "by_rule",
            .array(
                of: .object([
                    Value.field("rule", rule), Value.field("severity", severity),
                    Value.field("count", .integer(from: 0)),
                    Value.field("users", .integer(from: 0), "Whose app broke it."),
                ]))),
        Value.optional("users", .integer(from: 0), "Whose app broke any rule; absent for warnings."),
        Value.optional(
            "charges", .integer(from: 0), "Purchases that were paid for, and whose goods apps had to bring."),
        Value.optional(
            "by_phase",
            .array(of: .object([Value.field("phase", .string()), Value.field("count", .integer(from: 0))])),
            "By the load entry of their users."),
        Value.field("evidence", .array(of: evidence), "The first few of each rule."),
    ])

    private static let evidence: SchemaValue = .object([
        Value.field("number", .integer(from: 1), "What 'stampede replay --violation' asks for."),
        Value.field("rule", rule), Value.field("severity", severity), Value.field("user", .integer(from: 0)),
        Value.field("cell", .integer(from: 0)), Value.field("device", .integer(from: 1)),
        Value.optional("process", .integer(), "Which launch of the app, where one is to blame."),
        Value.optional("transaction", .string()),
        Value.optional(
            "times", .integer(from: 1),
            "How often client code came to this very end; absent where each breach is told apart."),
        Value.optional("cause", .string(), "What these have in common."),
        Value.field("sentence", .string(), "The whole story in one sentence."),
        Value.optional(
            "frames", .array(of: .string()),
            "The calls of client code in which it came to its end, the innermost first."),
        Value.field("timeline", .array(of: timelineEntry)),
        Value.field(
            "about", .array(of: .integer(from: 1)),
            "Numbers of the entries that are about the violation's transaction or request."),
        Value.optional(
            "output", .array(of: outputLine),
            "The last that the client printed by then, in that launch where one is to blame; absent if nothing."),
        Value.field("replay", .string(), "The command that runs this user alone."),
        Value.optional("seed", .integer(from: 0), "Of the run it was found in, in a merged report."),
        Value.optional("population", .integer(from: 0), "As above."),
    ])

    private static let outputLine: SchemaValue = .object([
        Value.field("at_ns", .integer(from: 0), "Since the start of the run, in simulated time."),
        Value.field("process", .integer(from: 0), "The launch of the app."), Value.field("text", .string()),
    ])

    private static let timelineEntry: SchemaValue = .object([
        Value.field("number", .integer(from: 1)),
        Value.field("at_ns", .integer(from: 0), "Since the start of the run, in simulated time."),
        Value.optional("process", .integer(from: 0), "The launch of the app; absent for what happened elsewhere."),
        Value.field("text", .string()),
        Value.optional("label", .string(), "The text without who says it, where that is something else."),
        Value.field("from", party), Value.field("to", party),
        Value.optional(
            "kind", .string(among: Report.TimelineEntry.Kind.allCases.map(\.rawValue)),
            "What a reader of the story looks for; absent for all else."),
    ])

    private static let party: SchemaValue = .string(among: Report.Party.allCases.map(\.rawValue))

    // MARK: Measurements

    private static let metric = metric(named: .string(among: MetricName.allCases.map(\.name)))
    /// Named as in the scenario, with tags and window.
    private static let subMetric = metric(named: .string())

    private static func metric(named name: SchemaValue) -> SchemaValue {
        .object([Value.field("name", name)] + figures)
    }

    private static let figures: [SchemaValue.Field] = [
        Value.optional("base", .string(), "Of a part of a metric, the metric's name."),
        Value.optional("is_of_window", .boolean, "Of a part of a metric that looks at a part of the run's time."),
        Value.optional("place", .integer(from: 0), "Of a part of a metric, among those that the scenario names."),
        Value.optional("from_ns", .integer(from: 0), "Of a part that looks at a part of the run's time."),
        Value.optional("to_ns", .integer(from: 0)),
        Value.field("kind", .string(among: MetricKind.allCases.map(\.rawValue))), Value.field("unit", unit),
        Value.optional("response", .reference("trend"), "Trend: from the planned start."),
        Value.optional("service", .reference("trend"), "Trend: from the actual start."),
        Value.optional(
            "outcomes",
            .object(PaymentOutcome.allCases.map { Value.optional($0.rawValue, .reference("trend")) }),
            "Trend: the response times of purchases by how they ended; what did not occur is absent."),
        Value.optional(
            "instant", .integer(from: 1),
            "Trend: answers that came at the very instant, without the store. They are no samples; absent without any."),
        Value.optional("count", .integer(from: 0), "Counter."),
        Value.optional("per_second", .number, "Counter: per second of simulated time."),
        Value.optional(
            "tags", .map(to: .integer(from: 0)),
            "Counter: the counts under each tag: by kind, by rule, or by the error that the app was told."),
        Value.optional(
            "stages",
            .object(FailureStage.allCases.map { Value.optional($0.rawValue, .integer(from: 1)) }),
            "Counter of failed purchases: the counts at each stage; what did not occur is absent."),
        Value.optional("passes", .integer(from: 0), "Rate."), Value.optional("total", .integer(from: 0), "Rate."),
        Value.optional("value", .number, "Gauge."), Value.optional("min", .number, "Gauge."),
        Value.optional("max", .number, "Gauge."),
        Value.optional(
            "quotient",
            .object([Value.field("sum", .reference("sum")), Value.field("weight", .reference("sum"))]),
            "Gauge: what the value is, where it is so much for each of so many."),
    ]

    /// Whole numbers of any length, for merging.
    private static let sum: SchemaValue = .choice([.integer(), .string()])

    private static let trend: SchemaValue = .object(
        [Value.field("count", .integer(from: 1)), Value.field("avg", .number, "Nanoseconds, as all the others.")]
            + ["min", "med", "max", "p90", "p95", "p99", "p999"].map { Value.field($0, .integer()) } + [
                Value.field("sum", .reference("sum"), "Of all samples; digits as a text where 64 bits do not do."),
                Value.optional("overflow", .integer(from: 1), "Samples above 24 hours."),
                Value.field("histogram", .string(), "HdrHistogram's V2 compressed encoding, in base64."),
            ])

    private static let series: SchemaValue = .object([
        Value.field("interval_ns", .integer(from: 1)), Value.field("intervals", .integer(from: 1)),
        Value.field("users_active", .array(of: .number), "On average over each interval."),
        Value.field("users_active_ns", .array(of: .reference("sum")), "The time of all of them together."),
        Value.optional(
            "store_queue_depth", .array(of: .number), "Requests that waited for the store, on average; with a capacity."
        ),
        Value.optional("store_queue_depth_ns", .array(of: .reference("sum"))),
        Value.field("counts", .map(to: .array(of: .integer(from: 0))), "By the name of the metric."),
        Value.field(
            "purchase_duration",
            .object(
                ["p50", "p95", "p99"].map { Value.field($0, .arrayWithGaps(of: .integer())) } + [
                    Value.field("histogram", .arrayWithGaps(of: .string()))
                ]), "Of the purchases that ended in each interval; null where none did."),
    ])

    private static let faultWindow: SchemaValue = .object([
        Value.field("place", .string(among: Report.FaultWindow.Place.allCases.map(\.rawValue))),
        Value.field("answer", .string(among: Report.FaultWindow.Answer.allCases.map(\.rawValue))),
        Value.optional("slow_by_ns", .integer(from: 0)), Value.field("start_ns", .integer(from: 0)),
        Value.field("end_ns", .integer(from: 0)),
    ])

    private static let stageBand: SchemaValue = .object([
        Value.field("from_ns", .integer(from: 0)), Value.optional("to_ns", .integer(from: 1)),
        Value.field("count", .integer(from: 1)),
        Value.field("avg", .map(to: .number), "Nanoseconds of a purchase, by the name of the stage's metric."),
        Value.field("sum", .map(to: .reference("sum")), "Nanoseconds of all of them together, likewise."),
    ])

    private static let host: SchemaValue = .object(
        machine + [
            Value.optional(
                "parts", .array(of: .reference("machine")), "Of a merged report, in the order of the run's parts.")
        ])

    private static let machine: [SchemaValue.Field] = [
        Value.field("started_at", .string(), "ISO 8601."), Value.field("duration_seconds", .number),
        Value.field("workers", .integer(from: 0)), Value.field("cores", .integer(from: 0)),
        Value.field("system", .string()),
        Value.field(
            "dependencies", .map(to: .string()), "The version of each library that the figures depend on, by name."),
        Value.optional("memory_peak_bytes", .integer(from: 0)),
        Value.optional("purchases_per_second", .number, "In real time."),
        Value.field("metrics", .array(of: .reference("metric"))),
        Value.optional("sub_metrics", .array(of: .reference("sub_metric"))),
        Value.field("thresholds", .array(of: .reference("threshold"))), Value.field("notes", .array(of: .string())),
        Value.optional("commit", .string(), "What was tested: the commit of the folder that the command ran in."),
        Value.optional("is_dirty", .boolean, "Whether files differed from it."),
        Value.optional("earlier", earlier, "The runs before this one that it may be held against."),
        Value.optional("shard", .string(), "Of a part of a run: which one it was."),
        Value.optional("users", .integer(from: 0), "Of that part."),
        Value.optional("machine", .string(), "What the machine that did that part is called."),
    ]

    private static let earlier: SchemaValue = .object([
        Value.field("run", .integer(from: 1), "The last of them, by its number in the database."),
        Value.field("started_at", .string(), "Of that one."), Value.optional("commit", .string()),
        Value.optional("is_dirty", .boolean),
        Value.field(
            "figures",
            .array(
                of: .object([
                    Value.field("name", .string()), Value.field("unit", unit),
                    Value.field("direction", .string(among: MetricDirection.allCases.map(\.rawValue))),
                    Value.field("values", .arrayWithGaps(of: .number), "Of each run, the last of them last."),
                ]))),
    ])
}
