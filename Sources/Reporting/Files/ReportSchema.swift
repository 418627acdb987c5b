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
                Value.field("cells", .integer(from: 0), "Cells of the part."),
                Value.field("users", .integer(from: 0)),
                Value.field("plan", .string(), "The same for all parts of the run."),
            ]), "The part of the run that this report covers; absent for a whole run."),
        Value.field("verdict", .reference("verdict")),
        Value.field(
            "thresholds", .array(of: .reference("threshold")),
            "Thresholds on metrics that do not depend on the machine."),
        Value.field("violations", violations),
        Value.field(
            "warnings", violations,
            "Warnings, which do not fail a run by themselves. Their evidence is numbered after that of violations."),
        Value.field(
            "harness_faults", .array(of: .string()), "Broken invariants of the simulation itself: bugs of stampede."),
        Value.field("simulated_duration_ns", .integer(from: 0)),
        Value.field("notes", .array(of: .string())),
        Value.field(
            "metrics", .array(of: .reference("metric")), "Sorted by name. A metric that was not measured is absent."),
        Value.optional(
            "sub_metrics", .array(of: .reference("sub_metric")), "The parts of metrics that the scenario names."),
        Value.optional("series", series, "The run over time; absent if nothing happened."),
        Value.field("fault_windows", .array(of: faultWindow), "Periods of simulated time with planned failures."),
        Value.field(
            "stages", .array(of: stageBand), "The stages of purchases, from the fastest purchases to the slowest."),
        Value.field(
            "host", host,
            "Everything that depends on the machine and the moment: only this may differ between two runs."),
    ]

    // MARK: What was run

    private static let scenario: SchemaValue = .object([
        Value.field("name", .string()), Value.field("description", .string()),
        Value.field("file", .string(), "The file's path, from the folder that the command ran in."),
        Value.field("source", .string(), "The whole text of the file."),
        Value.optional("catalog", .string(), "The whole text of its catalog, if it came from a file."),
    ])

    private static let run: SchemaValue = .object([
        Value.field("seed", .integer(from: 0)), Value.field("clock", .string(among: ["virtual", "wall"])),
        Value.field("client", .string()), Value.field("client_options", .map(to: .string())),
        Value.field("users", .integer(from: 0), "Users that the load uses."),
        Value.field("population", .integer(from: 0), "All users of the scenario."),
        Value.field("cells", .integer(from: 0)),
        Value.optional("only_user", .integer(from: 0), "Set if only this user was judged."),
        Value.optional("tags", .map(to: .string()), "Tags of the run from --tag, by name; absent if there are none."),
        Value.optional(
            "parts",
            .array(of: .object(["seed", "users", "population", "cells"].map { Value.field($0, .integer(from: 0)) })),
            "The runs of a merged report; the seed beside this key is the seed of the first run."),
    ])

    // MARK: Judgements

    private static let verdict: SchemaValue = .object([
        Value.field("outcome", .string(among: Report.Verdict.Outcome.allCases.map(\.rawValue))),
        Value.field("exit_code", .integer(from: 0), "The exit code of the process."),
        Value.field("reasons", .array(of: reason), "The gravest first; empty if the run passed."),
    ])

    private static let reason: SchemaValue = .object([
        Value.field("kind", .string(among: Report.Reason.Kind.allCases.map(\.rawValue))),
        Value.field("sentence", .string(), "The whole reason in one sentence."),
        Value.optional("seed", .integer(from: 0), "In a merged report, the seed of the run."),
        Value.optional("journey", .string(), "In a sweep, the journey."),
        Value.optional("count", .integer(from: 0), "How many times, users, invariants or findings, as the kind says."),
        Value.optional("how", .string(), "How a worker process ended."),
        Value.optional(
            "blame", .string(among: WorkerDeath.Blame.allCases.map(\.rawValue)),
            "Who caused that."),
        Value.optional("unjudged", .integer(from: 0), "Users that were not judged."),
        Value.optional("user", .integer(from: 0)), Value.optional("cell", .integer(from: 0)),
        Value.optional("fault", .string(), "The fault of the harness or of a file, as a sentence."),
        Value.optional("fault_facts", faultFacts, "The same fault as facts."),
        Value.optional("trial", .string()), Value.optional("scenario", .integer(from: 0)),
        Value.optional("threshold", .object([Value.field("metric", .string()), Value.field("expression", .string())])),
        Value.optional(
            "breach",
            .object([
                Value.field("is_of_violations", .boolean), Value.field("ended_run", .boolean),
                Value.optional("actual", .number, "The measured value, in its unit."),
                Value.optional("unit", .string(among: ReportUnit.allCases.map(\.rawValue))),
            ]),
            "How the threshold failed."),
        Value.optional(
            "sign",
            .object([
                Value.field("measure", .string(among: ["pressure", "steal", "lag"])),
                Value.field("value", .number, "A share, or nanoseconds."),
            ]), "The sign that the machine could not keep up."),
        Value.optional(
            "request", .string(among: RequestKind.allCases.map(\.rawValue)), "The kind of the users' requests."),
        Value.optional("refused", .integer(from: 0), "How many of these requests the app refused."),
        Value.optional("rules", .array(of: .string())),
        Value.optional("accepted", .integer(from: 0), "Accepted findings, in addition to these."),
        Value.optional("finding", .string()),
        Value.optional("until", .string(), "The day on which the acceptance ends."),
    ])

    private static let faultFacts: SchemaValue = .object([
        Value.field("kind", .string(among: FaultFacts.Kind.allCases.map(\.rawValue))),
        Value.optional("transaction", .integer(), "The store's identifier."),
        Value.optional("times", .integer(from: 0)),
        Value.optional("handle", .integer(), "A transaction of the device, which the store may not know."),
        Value.optional("from_state", .string()), Value.optional("to_state", .string()),
        Value.optional("launch", .integer(), "The launch of the app."), Value.optional("effect", .string()),
        Value.optional("from_ns", .integer()), Value.optional("to_ns", .integer()),
        Value.optional("mishap", .string(), "The placed fault that did not happen."),
        Value.optional("cell", .integer(from: 0)), Value.optional("problem", .string()),
    ])

    private static let threshold: SchemaValue = .object([
        Value.field("metric", .string(), "The metric with its tags, as in the scenario."),
        Value.field("base", .string(), "The metric without tags."),
        Value.field("expression", .string(), "The judged expression."),
        Value.optional(
            "written",
            .object([
                Value.field("expression", .string()),
                Value.field("users", .integer(from: 1), "The scenario's number of users."),
            ]), "The threshold in the scenario, if the run has another number of users."),
        Value.field("outcome", .string(among: Report.Threshold.Outcome.allCases.map(\.rawValue))),
        Value.optional("actual", .number, "The measured value, in the unit; absent if nothing was measured."),
        Value.field("limit", .number, "The limit, in the unit."),
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
                    Value.field("users", .integer(from: 0), "Users whose app broke the rule."),
                ]))),
        Value.optional("users", .integer(from: 0), "Users whose app broke any rule; absent for warnings."),
        Value.optional(
            "charges", .integer(from: 0), "Charged purchases whose goods the apps had to deliver."),
        Value.optional(
            "by_phase",
            .array(of: .object([Value.field("phase", .string()), Value.field("count", .integer(from: 0))])),
            "By the load entry of the users."),
        Value.field("evidence", .array(of: evidence), "The first few of each rule."),
    ])

    private static let evidence: SchemaValue = .object([
        Value.field("number", .integer(from: 1), "The number for 'stampede replay --violation'."),
        Value.field("rule", rule), Value.field("severity", severity), Value.field("user", .integer(from: 0)),
        Value.field("cell", .integer(from: 0)), Value.field("device", .integer(from: 1)),
        Value.optional("process", .integer(), "The launch of the app that caused the violation, if one launch did."),
        Value.optional("transaction", .string()),
        Value.optional(
            "times", .integer(from: 1),
            "How often client code ended in exactly this way; absent if each violation is counted separately."),
        Value.optional("cause", .string(), "The common cause of these."),
        Value.field("sentence", .string(), "The whole story in one sentence."),
        Value.optional(
            "frames", .array(of: .string()),
            "The calls of client code at its end, innermost first."),
        Value.field("timeline", .array(of: timelineEntry)),
        Value.field(
            "about", .array(of: .integer(from: 1)),
            "Numbers of the entries that are about the violation's transaction or request."),
        Value.optional(
            "output", .array(of: outputLine),
            "The client's last output by then, in the launch that caused the violation, if one did; absent if none."),
        Value.field("replay", .string(), "The command that runs only this user."),
        Value.optional("seed", .integer(from: 0), "In a merged report, the seed of the run."),
        Value.optional("population", .integer(from: 0), "In a merged report, the population of the run."),
    ])

    private static let outputLine: SchemaValue = .object([
        Value.field("at_ns", .integer(from: 0), "Since the start of the run, in simulated time."),
        Value.field("process", .integer(from: 0), "The launch of the app."), Value.field("text", .string()),
    ])

    private static let timelineEntry: SchemaValue = .object([
        Value.field("number", .integer(from: 1)),
        Value.field("at_ns", .integer(from: 0), "Since the start of the run, in simulated time."),
        Value.optional("process", .integer(from: 0), "The launch of the app; absent for events outside the app."),
        Value.field("text", .string()),
        Value.optional("label", .string(), "The text without its speaker, if that differs."),
        Value.field("from", party), Value.field("to", party),
        Value.optional(
            "kind", .string(among: Report.TimelineEntry.Kind.allCases.map(\.rawValue)),
            "The kind of an event that a reader looks for; absent for all other events."),
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
        Value.optional("base", .string(), "For a part of a metric: the metric's name."),
        Value.optional("is_of_window", .boolean, "Whether a part of a metric covers only a window of the run."),
        Value.optional(
            "place", .integer(from: 0), "For a part of a metric: its place among the parts that the scenario names."),
        Value.optional(
            "from_ns", .integer(from: 0), "For a part that covers a window of the run: the start of the window."),
        Value.optional("to_ns", .integer(from: 0)),
        Value.field("kind", .string(among: MetricKind.allCases.map(\.rawValue))), Value.field("unit", unit),
        Value.optional("response", .reference("trend"), "Trend: from the planned start."),
        Value.optional("service", .reference("trend"), "Trend: from the actual start."),
        Value.optional(
            "outcomes",
            .object(PaymentOutcome.allCases.map { Value.optional($0.rawValue, .reference("trend")) }),
            "Trend: the response times of purchases by outcome; outcomes that did not occur are absent."),
        Value.optional(
            "instant", .integer(from: 1),
            "Trend: answers at the same instant, without the store. They are not samples; absent if there are none."),
        Value.optional("count", .integer(from: 0), "Counter."),
        Value.optional("per_second", .number, "Counter: per second of simulated time."),
        Value.optional(
            "tags", .map(to: .integer(from: 0)),
            "Counter: the counts under each tag: by kind, by rule, or by the error that the app received."),
        Value.optional(
            "stages",
            .object(FailureStage.allCases.map { Value.optional($0.rawValue, .integer(from: 1)) }),
            "Counter of failed purchases: the counts at each stage; stages that did not occur are absent."),
        Value.optional("passes", .integer(from: 0), "Rate."), Value.optional("total", .integer(from: 0), "Rate."),
        Value.optional("value", .number, "Gauge."), Value.optional("min", .number, "Gauge."),
        Value.optional("max", .number, "Gauge."),
        Value.optional(
            "quotient",
            .object([Value.field("sum", .reference("sum")), Value.field("weight", .reference("sum"))]),
            "Gauge: the sum and the weight of the value, if it is a quotient."),
    ]

    /// Whole numbers of any length, for merging.
    private static let sum: SchemaValue = .choice([.integer(), .string()])

    private static let trend: SchemaValue = .object(
        [Value.field("count", .integer(from: 1)), Value.field("avg", .number, "In nanoseconds, like all values here.")]
            + ["min", "med", "max", "p90", "p95", "p99", "p999"].map { Value.field($0, .integer()) } + [
                Value.field("sum", .reference("sum"), "Of all samples; digits as text if 64 bits are too few."),
                Value.optional("overflow", .integer(from: 1), "Samples above 24 hours."),
                Value.field("histogram", .string(), "HdrHistogram's V2 compressed encoding, in base64."),
            ])

    private static let series: SchemaValue = .object([
        Value.field("interval_ns", .integer(from: 1)), Value.field("intervals", .integer(from: 1)),
        Value.field("users_active", .array(of: .number), "The average over each interval."),
        Value.field("users_active_ns", .array(of: .reference("sum")), "The time of all active users together."),
        Value.optional(
            "store_queue_depth", .array(of: .number),
            "The average number of requests that waited for the store; only with a capacity."),
        Value.optional("store_queue_depth_ns", .array(of: .reference("sum"))),
        Value.field("counts", .map(to: .array(of: .integer(from: 0))), "By metric name."),
        Value.field(
            "purchase_duration",
            .object(
                ["p50", "p95", "p99"].map { Value.field($0, .arrayWithGaps(of: .integer())) } + [
                    Value.field("histogram", .arrayWithGaps(of: .string()))
                ]), "Of the purchases that ended in each interval; null if there were none."),
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
        Value.field("avg", .map(to: .number), "Nanoseconds per purchase, by the metric name of the stage."),
        Value.field(
            "sum", .map(to: .reference("sum")),
            "Nanoseconds of all purchases together, by the metric name of the stage."),
    ])

    private static let host: SchemaValue = .object(
        machine + [
            Value.optional(
                "parts", .array(of: .reference("machine")),
                "In a merged report, the machines in the order of the run's parts.")
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
        Value.optional("commit", .string(), "The tested commit: that of the folder that the command ran in."),
        Value.optional("is_dirty", .boolean, "Whether files differed from the commit."),
        Value.optional("earlier", earlier, "Earlier runs to compare this run with."),
        Value.optional("shard", .string(), "For a part of a run: which part it was."),
        Value.optional("users", .integer(from: 0), "Users of that part."),
        Value.optional("machine", .string(), "The name of the machine that ran that part."),
    ]

    private static let earlier: SchemaValue = .object([
        Value.field("run", .integer(from: 1), "The last earlier run, by its number in the database."),
        Value.field("started_at", .string(), "When that run started."), Value.optional("commit", .string()),
        Value.optional("is_dirty", .boolean),
        Value.field(
            "figures",
            .array(
                of: .object([
                    Value.field("name", .string()), Value.field("unit", unit),
                    Value.field("direction", .string(among: MetricDirection.allCases.map(\.rawValue))),
                    Value.field("values", .arrayWithGaps(of: .number), "One value per run, the last run's last."),
                ]))),
    ])
}
