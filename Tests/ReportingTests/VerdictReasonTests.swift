// What a verdict rests on: one of every kind, as a sentence, in report.json and back.

import Engine
import Foundation
import Hosting
import Judgement
import Simulation
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct VerdictReasonTests {
    private static let slow = Report.Reason.ThresholdText(metric: "purchase_duration", expression: "p(95) < 10s")

    static let all: [(VerdictReason, String)] = [
        (
            .brokenInvariants(
                2, first: .init(fault: .chargedMoreThanOnce(TransactionID(number: 7), times: 2), user: 4)),
            "2 broken invariants of the simulation: transaction 7 was charged 2 times (user 4)"
        ),
        (.usersStuck(cell: 3), "users waited for ever in cell 3"),
        (.stopped(unjudged: 1_200, by: .interrupt), "stopped before the end: 1,200 users were not judged"),
        (.stopped(unjudged: 0, by: .interrupt), "stopped before the end: everything done so far was judged"),
        (
            .stopped(unjudged: 3, by: .timeLimit(.seconds(600))),
            "the time limit of 10m ended before the end: 3 users were not judged"
        ),
        (.clientRaised(times: 3), "the client crashed 3 times"),
        (.clientRaised(times: nil), "the client crashed, hung or ended its process"),
        (.clientExited(times: 2), "the client ended its process 2 times"),
        (.clientOverran(times: 1), "the client used more memory than an app may, 1 time"),
        (.clientHung(times: 1, unjudged: 5), "the client hung 1 time: 5 users were not judged"),
        (
            .clientLimit(times: 20, unjudged: 12),
            "the client crashed or hung 20 times, and the run stopped early: 12 users were not judged"
        ),
        (
            .workerDied(how: "signal 11, SIGSEGV", cell: 17, unjudged: 5, .client),
            "the client's process was ended by signal 11, SIGSEGV in cell 17: 5 users were not judged"
        ),
        (
            .workerDied(how: "signal 11, SIGSEGV", cell: nil, unjudged: 5, .harness),
            "Stampede itself was ended by signal 11, SIGSEGV: 5 users were not judged"
        ),
        (
            .workerDied(how: "a crash of the client that did not come again", cell: 3, unjudged: 5, .nobody),
            "a worker process was ended by a crash of the client that did not come again in cell 3: 5 users were not "
                + "judged"
        ),
        (
            .thresholdFailed(
                slow, .init(isOfViolations: false, endedRun: true, actual: 12_300_000_000, unit: .nanoseconds)),
            "purchase_duration: p(95) < 10s does not hold: it is 12.3s, and stopped the run"
        ),
        (
            .thresholdFailed(slow, .init(isOfViolations: false)),
            "purchase_duration: p(95) < 10s does not hold"
        ),
        (.thresholdUnknown(slow), "purchase_duration: p(95) < 10s had nothing to judge"),
        (.journeysEndless(cell: 0), "the journeys of cell 0 last longer than 100 simulated years"),
        (.journeysSpinning(users: 7), "the journeys of 7 users take no time and would never end: add a think step"),
        (
            .machineSaturated(.lag(250_000_000)),
            "the machine could not keep up: one in a hundred events ran at least 250ms late (schedule_lag)"
        ),
        (
            .machineSaturated(.pressure(0.75)),
            "the machine could not keep up: tasks waited for a processor in 75 % of the time (cpu_pressure)"
        ),
        (
            .machineSaturated(.steal(0.25)),
            "the machine could not keep up: 25 % of the processors' time went to other guests (cpu_steal)"
        ),
        (.nobodyJudged, "no user was judged: the load needed no user, or no user could be judged"),
        (
            .nothingTried(.purchase, asked: 20, refused: 20),
            "nothing tried: users asked to buy 20 times, but the app never added a payment (another catalog's products?)"
        ),
        (
            .catalogFails(.fetch, .loadProducts),
            "no fetch of products could succeed: the catalog's setting _storeKitErrors: Load Products makes each attempt fail; "
                + "switch it off, or write `store: {errors: …}` in the scenario"
        ),
        (
            .methodsNotCalled(times: 1),
            "StoreKit could not call an optional method that only a subclass has (1 time): its effects were not judged"
        ),
        (
            .faultInTrial(.standstill, trial: "crash:17"), "the journey came to a standstill (crash:17)"
        ),
        (.rulesBroken(["lost-purchase", "wrong-answer"]), "lost-purchase, wrong-answer"),
        (.trialsLeft(.interrupt), "stopped before every trial was run"),
        (.faultInScenario(12, .stuck(cell: 3)), "scenario 12: users waited for ever in cell 3"),
        (.scenariosLeft(.interrupt), "stopped before every scenario was run"),
        (.findings(2, accepted: 0), "2 findings"),
        (.findings(1, accepted: 4), "1 finding in addition to the accepted findings"),
        (
            .acceptanceOver(finding: "lost-purchase-3f2a", until: "2027-03-31"),
            "lost-purchase-3f2a was accepted until 2027-03-31"
        ),
        (
            .acceptedIsGone(finding: "lost-purchase-3f2a"),
            "lost-purchase-3f2a is accepted but was not found any more: remove it from the list"
        ),
        (
            .keptUntried(finding: "lost-purchase-3f2a", .unreadable(problem: "no such product")),
            "the kept scenario of lost-purchase-3f2a could not be run: the scenario cannot be read: no such product"
        ),
        (.noScenarioJudged, "no scenario was judged"),
    ]

    @Test(arguments: all)
    func everyReasonHasItsSentenceAndDecodesTheSame(cause: VerdictReason, sentence: String) throws {
        let reason = Report.Reason(cause)
        for (place, told) in [
            ("", reason), ("player: ", Report.Reason(cause, journey: "player")),
            ("seed \(UInt64.max): ", reason.found(underSeed: .max)),
        ] {
            #expect(told.sentence == place + sentence)
            #expect(try JSONDecoder().decode(Report.Reason.self, from: JSONEncoder().encode(told)) == told)
        }
    }

    // Whoever adds a kind adds it here.
    @Test func everyReasonKindIsTested() {
        #expect(Set(Self.all.map { Report.Reason($0.0).kind }) == Set(Report.Reason.Kind.allCases))
    }

    @Test func reasonWithoutItsFactsIsRefused() {
        for kind in [Report.Reason.Kind.brokenInvariants, .thresholdFailed, .nothingTried, .findings] {
            let text =
                #"{"outcome": "failed", "exitCode": 99, "reasons": [{"kind": "\#(kind.rawValue)", "sentence": "x"}]}"#
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Report.Verdict.self, from: Data(text.utf8))
            }
        }
    }

    // What every kind is made with is all that it needs.
    @Test(arguments: all)
    func verdictDecodesTheSame(cause: VerdictReason, sentence: String) throws {
        let verdict = Report.Verdict(of: [cause])
        #expect(try JSONDecoder().decode(Report.Verdict.self, from: JSONEncoder().encode(verdict)) == verdict)
    }

    private static let transaction = TransactionID(number: 7)

    private static let faults: [RunFault] =
        Effect.allCases.map { .broken(.effectOfDeadProcess(2, $0)) }
        + TransactionState.allCases.map { .broken(.illegalTransition(handle: 3, from: $0, to: .purchased)) }
        + [
            .broken(.chargeWithoutTransaction(transaction)), .broken(.transactionWithoutCharge(transaction)),
            .broken(.chargedMoreThanOnce(transaction, times: 2)), .broken(.identifierTwice(transaction)),
            .broken(.finishedAndRedelivered(transaction)),
            .broken(.timeWentBack(from: Instant(nanoseconds: 5), to: Instant(nanoseconds: 4))), .endless, .standstill,
            .strayed(Mishap(.lostAnswer, 3)), .stuck(cell: 1), .unreadable(problem: "line 3"),
        ]

    @Test func everyFaultDecodesTheSame() throws {
        for fault in Self.faults {
            let reason = Report.Reason(.faultInScenario(12, fault))
            let report = Report.Verdict([reason])
            let json = try ReportJSON.encode(report)
            #expect(try ReportJSON.decode(Report.Verdict.self, from: json).reasons == [reason], "\(fault)")
        }
        #expect(Set(Self.faults.map { FaultFacts($0).kind }) == Set(FaultFacts.Kind.allCases))
    }

    @Test func gravestReasonDecidesTheVerdict() {
        let reasons = [
            Report.Reason(.nobodyJudged), Report.Reason(.thresholdFailed(Self.slow, .init(isOfViolations: false))),
            Report.Reason(.clientRaised(times: 1)),
        ]
        let verdict = Report.Verdict(reasons)
        #expect(verdict.outcome == .error && verdict.exitCode == 107 && verdict.reasons == reasons.reversed())
        #expect(Report.Verdict([]) == Report.Verdict(outcome: .passed, exitCode: 0))
    }
}
