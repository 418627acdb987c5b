// What a sweep found, as one value: the terminal and JSON are written from it.
// A value; any thread.

import ClientKit
package import Engine
package import Hosting
package import Judgement
package import ReportModel
import Scenario
import Simulation
import Text

package struct SweepReport: JSONReport, Sendable, Equatable {
    package var scenario: String
    package var client: String
    package var seed: UInt64
    package var depth: Int
    package var journeys: [Journey]
    /// Products of the catalog that no journey buys when nothing goes wrong: what they bring was not tried.
    package var neverBought: [String]
    package var verdict: Report.Verdict

    package struct Journey: Encodable, Sendable, Equatable {
        package var name: String
        package var effects: Int
        package var messages: Int
        /// Trials run, and trials there are.
        package var done: Int
        package var planned: Int
        /// Rules that are broken when nothing goes wrong.
        package var undisturbed: [String]
        package var places: [Place]
        package var deeper: [JourneySweep.Deeper]
        package var interleavings: JourneySweep.Interleavings?
        package var stories: [Story]
        package var faults: [String]
    }

    /// A place of the journey, and what comes of each thing that can go wrong there.
    package struct Place: Encodable, Sendable, Equatable {
        package var device: Int
        package var atNs: Int64
        package var text: String
        package var outcomes: [Outcome]
    }

    package struct Outcome: Encodable, Sendable, Equatable {
        /// `crash:17`, `request:3` or `answer:3`.
        package var mishap: String
        /// Rules broken, the gravest first; empty: none.
        package var rules: [String]
    }

    package struct Story: Encodable, Sendable, Equatable {
        package var rule: String
        package var severity: Severity
        package var trials: Int
        package var trial: TrialCase
        package var sentence: String
        /// The calls of client code in which it came to its end, the innermost first; nil where that is one or none.
        package var frames: [String]?
        package var timeline: [Report.TimelineEntry]
        /// The last that the client printed by then; nil: nothing.
        package var output: [Report.OutputLine]?
        package var replay: String
    }
}

extension SweepReport {
    /// One trial with its whole story.
    package struct Told: Sendable {
        package let sentences: [(rule: String, sentence: String)]
        /// Of each of the user's devices.
        package let timelines: [[Report.TimelineEntry]]
        /// What clients have printed on each, as far as it is kept.
        package let outputs: [[Report.OutputLine]]
        package let fault: String?
        package let status: ExitStatus

        package init(_ outcome: TrialOutcome) {
            sentences = outcome.findings.map { ($0.violation.rule.rawValue, $0.sentence) }
            timelines = outcome.stories.map { Narrator($0).timeline }
            outputs = outcome.stories.map { $0.input.log.lines.map(Report.OutputLine.init) }
            fault = (outcome.isJudged ? outcome.faults.first : .standstill)?.sentence
            if fault != nil {
                status = .harnessFault
            } else if outcome.rules.contains(where: \.isOfDeath) {
                status = .clientCrashed
            } else {
                status = outcome.rules.isEmpty ? .passed : .violationsFound
            }
        }
    }

    /// - Parameter command: the command line that repeats the sweep, up to the options that name a trial.
    package init(_ found: [JourneySweep], plan: SweepPlan, stopCause: StopCause?, command: String) {
        scenario = plan.options.scenario.name
        client = plan.options.client.name
        seed = plan.options.scenario.seed
        depth = plan.depth
        journeys = found.map { Journey($0, command: command) }
        neverBought = Self.neverBought(found)
        verdict = Self.verdict(found, stopCause: stopCause)
    }

    private static func neverBought(_ found: [JourneySweep]) -> [String] {
        let stories = found.flatMap(\.undisturbed.stories)
        guard let catalog = stories.first?.input.catalog else { return [] }
        let bought = Set(stories.flatMap { $0.input.statement.transactions.map(\.product) })
        return catalog.products.indices.filter { !bought.contains($0) }.map { catalog[$0].identifier }
    }

    private static func verdict(_ found: [JourneySweep], stopCause: StopCause?) -> Report.Verdict {
        var reasons: [Report.Reason] = []
        for journey in found {
            func add(_ cause: VerdictReason) {
                reasons.append(Report.Reason(cause, journey: journey.journey))
            }
            if let fault = journey.faults.first {
                add(.faultInTrial(fault.fault, trial: fault.trial.text))
            }
            if journey.stories.contains(where: { $0.rule.isOfDeath }) { add(.clientRaised(times: nil)) }
            if !journey.stories.isEmpty { add(.rulesBroken(journey.stories.map(\.rule.rawValue))) }
        }
        if let stopCause { reasons.append(Report.Reason(.trialsLeft(stopCause))) }
        return Report.Verdict(reasons)
    }
}

extension SweepReport.Journey {
    fileprivate init(_ sweep: JourneySweep, command: String) {
        name = sweep.journey
        let found = sweep.undisturbed.places
        effects = found.count { if case .effect = $0.kind { true } else { false } }
        messages = found.count - effects
        done = sweep.done
        planned = sweep.planned
        undisturbed = sweep.undisturbed.rules.map(\.rawValue)
        let narrators = sweep.undisturbed.stories.map(Narrator.init)
        places = found.map { place in
            SweepReport.Place(
                device: place.device, atNs: place.at.nanoseconds, text: narrators[place.device - 1].text(of: place),
                outcomes: sweep.singles.filter { place.allows($0.mishap) }.map {
                    SweepReport.Outcome(mishap: $0.mishap.text, rules: $0.rules.map(\.rawValue))
                })
        }
        deeper = sweep.deeper
        interleavings = sweep.interleavings
        let journey = name
        stories = sweep.stories.map { story in
            let frames = story.evidence.flatMap { ClientFrames.words(of: [$0])[0] }
            return SweepReport.Story(
                rule: story.rule.rawValue, severity: story.rule.severity, trials: story.trials,
                trial: story.trial, sentence: story.evidence?.sentence ?? story.rule.breach, frames: frames,
                timeline: story.evidence?.timeline.lines ?? [], output: story.evidence?.output,
                replay: "\(command) --journey \(ShellWord.quoted(journey)) --trial \(story.trial.text)")
        }
        faults = sweep.faults.map { "\($0.fault.sentence) (\($0.trial.text))" }
    }
}
