// The sections of `stampede list`, each from the one table that its names are declared in.
// Main thread.

import ClientKit
import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import Scenario
import Simulation
import StoreKit

extension ListedTable {
    static func clients(_ clients: [any StoreClient.Type]) -> ListedTable {
        ListedTable(
            clients.flatMap { client in
                [(client.name, client.summary)]
                    + client.options.map { ("  \($0.name)", "\($0.values.joined(separator: " | ")): \($0.meaning)") }
            })
    }

    static var executors: ListedTable {
        ListedTable(
            LoadExecutors.all.flatMap { executor in
                [(executor.name, executor.summary)] + executor.ownKeys.map { ("  \($0.name)", $0.sentence) }
            },
            headings: ["executor", "keys", "what it does"],
            cells: LoadExecutors.all.map { executor in
                let keys = executor.ownKeys.map { "`\($0.name)`" + ($0.isRequired ? " (required)" : "") }
                return ["`\(executor.name)`", keys.joined(separator: ", "), executor.summary]
            })
    }

    static var steps: ListedTable {
        let steps = ScenarioStep.all.map { step in
            (name: step.name, value: step.takesValue ? step.key.kind : "", isWord: step.canBeBare, step.key.meaning)
        }
        return ListedTable(
            steps.map { name, value, isWord, meaning in
                let value = value.isEmpty ? "" : "\(value)\(isWord ? ", or nothing" : ""). "
                return (name, value + meaning)
            },
            headings: ["step", "value", "what it does"],
            cells: steps.map { name, value, isWord, meaning in
                let value = value.isEmpty ? "none" : "`\(value)`" + (isWord ? ", or none" : "")
                return ["`\(name)`", value, meaning]
            })
    }

    /// Of all sections.
    static var keys: ListedTable { keys(of: KeyTables.sections(tolerable: AuditRule.tolerable.map(\.rawValue))) }

    /// What the store does where the documentation is silent.
    static var knobs: ListedTable { keys(of: KeyTables.sections().filter { $0.path == KeyTables.knobs }) }

    private static func keys(of sections: [SectionFacts]) -> ListedTable {
        let keys = sections.flatMap { section in
            section.keys.map { (section.path.isEmpty ? $0.name : "\(section.path).\($0.name)", $0) }
        }
        return ListedTable(
            keys.map { path, key in
                let standard = key.isRequired ? " Required." : key.standard.map { " Default: \($0)." } ?? ""
                return (path, "\(key.kind). \(key.meaning)\(standard)" + (key.rule.map { " Rule \($0)." } ?? ""))
            },
            headings: ["key", "values", "default", "rule", "meaning"],
            cells: keys.map { path, key in
                [
                    "`\(path)`", words(key.kind), key.isRequired ? "required" : key.standard ?? "", key.rule ?? "",
                    key.meaning,
                ]
            })
    }

    /// Words to choose from, each as code.
    private static func words(_ kind: String) -> String {
        let words = kind.split(separator: " | ")
        return words.count < 2 ? kind : words.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// What purchases can be made to fail with.
    static var errors: ListedTable {
        let errors = StoreFailure.named.sorted { $0.key < $1.key }
        return ListedTable(
            errors.map { ($0.key, told($0.value)) }, headings: ["error", "what the app receives"],
            cells: errors.map { ["`\($0.key)`", told($0.value)] })
    }

    private static func told(_ failure: StoreFailure) -> String {
        if failure == .noError { return "a failed transaction without an error" }
        let error = failure.error as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? NSError).map { ", caused by \($0.domain) \($0.code)" }
        return "\(error.domain) \(error.code)" + (cause ?? "")
    }

    static var rules: ListedTable {
        ListedTable(
            AuditRule.allCases.map { ($0.rawValue, "\(severity($0)): \($0.breach)") },
            headings: ["rule", "severity", "a breach"],
            cells: AuditRule.allCases.map { ["`\($0.rawValue)`", severity($0), $0.breach] })
    }

    private static func severity(_ rule: AuditRule) -> String {
        rule.severities.reversed().map(\.rawValue).joined(separator: " or ")
    }

    static var exitCodes: ListedTable {
        let gravity = Report.Verdict.byGravity.map { String($0.rawValue) }.joined(separator: ", ")
        return ListedTable(
            ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) },
            headings: ["exit code", "meaning", "what to do"],
            cells: ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning, $0.advice] },
            note: "When several apply, the gravest decides: \(gravity).")
    }

    /// Words of other tools, and what says the same here.
    static var foreignWords: ListedTable {
        let groups = [
            ("key or step", ForeignWords.keys), ("executor", ForeignWords.executors),
            ("metric", ForeignWords.metrics), ("tag of a metric", ForeignWords.tags),
            ("aggregate", ForeignWords.aggregates), ("option", ForeignOptions.words),
        ]
        let words = groups.flatMap { place, words in words.map { (place: place, word: $0) } }
        return ListedTable(
            words.flatMap { _, word in
                word.names.map { ($0, "\(named(word.tools)): " + word.targets.map(\.text).joined(separator: " | ")) }
            },
            headings: ["word", "of", "is a", "here"],
            cells: words.map { place, word in
                [
                    word.names.map { "`\($0)`" }.joined(separator: " "), named(word.tools), place,
                    word.targets.map { "`\($0.text)`" }.joined(separator: ", "),
                ]
            },
            note:
                "If there are several words, use the first that the place accepts: it depends on section and executor.")
    }

    private static func named(_ tools: [ForeignWord.Tool]) -> String {
        tools.map(\.rawValue).joined(separator: ", ")
    }

    /// Every metric, with all that is said of it.
    static var metrics: ListedTable {
        ListedTable(
            MetricName.allCases.map { ($0.name, "\($0.kind.rawValue): \($0.meaning)") },
            headings: ["metric", "kind", "unit", "tags", "windows", "live", "better", "repeats", "meaning"],
            cells: MetricName.allCases.map { metric in
                let row = metric.row
                return [
                    "`\(row.name)`", row.kind.rawValue, row.unit == .none ? "" : row.unit.rawValue,
                    metric.tagNames.map { "`\($0)`" }.joined(separator: " "), row.hasWindows ? "yes" : "",
                    row.isLive ? "yes" : "", row.direction.word, row.source.repeats, row.meaning,
                ]
            })
    }
}

extension MetricDirection {
    fileprivate var word: String {
        switch self {
        case .lowerIsBetter: "less"
        case .higherIsBetter: "more"
        case .neutral: ""
        }
    }
}

extension MetricSource {
    /// Whether another run of the same seed has the same figure.
    fileprivate var repeats: String {
        switch self {
        case .simulation: "yes"
        case .machine: ""
        case .allocations: "nearly"
        }
    }
}
