// How and where purchases ended, and which answers the store had no part in.
// By hand, in milliseconds; then in whole runs.

import Engine
import Metrics
import RunSupport
import Scenario
import Testing

@testable import Judgement
@testable import Simulation

@Suite struct FailureTests {
    private static func instant(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    private static func attempt(
        received: Int64, sheet: Int64? = nil, _ outcome: PurchaseAttempt.Outcome, payment: Int = 1
    ) -> PurchaseAttempt {
        var attempt = PurchaseAttempt(
            payment: PaymentToken(number: payment), product: 0, quantity: 1, receivedAt: instant(received),
            arrivedAt: instant(received), outcome: outcome)
        attempt.sheetAt = sheet.map(instant)
        attempt.decidedAt = sheet.map { instant($0 + 10) }
        return attempt
    }

    // MARK: Stages

    private func stage(_ told: Int64, _ failure: StoreFailure?, _ attempts: [PurchaseAttempt]) -> FailureStage {
        FailureStage(of: 1, from: Self.instant(0), to: Self.instant(told), failure, attempts[...])
    }

    @Test func requestThatNeverArrivedFailsWhileSending() {
        #expect(stage(0, .offline, []) == .instant)
        #expect(stage(60, .timedOut, []) == .sending)
        #expect(stage(60, .offline, [Self.attempt(received: 10, .cancelled, payment: 2)]) == .sending)
        #expect(stage(60, .timedOut, [Self.attempt(received: 90, .undecided)]) == .sending, "it came too late")
    }

    @Test func refusalFailsInProcessingAndCancelInDeciding() {
        #expect(stage(60, .store(.unknown), [Self.attempt(received: 10, .refused(.store(.unknown)))]) == .processing)
        #expect(stage(60, .store(.paymentCancelled), [Self.attempt(received: 10, sheet: 20, .cancelled)]) == .deciding)
        #expect(stage(60, .undocumentedCancel, [Self.attempt(received: 10, sheet: 20, .cancelled)]) == .deciding)
        #expect(stage(60, .interrupted, [Self.attempt(received: 10, sheet: 20, .interrupted)]) == .deciding)
        #expect(stage(60, .noError, [Self.attempt(received: 10, .refused(.noError))]) == .processing)
        #expect(stage(60, nil, [Self.attempt(received: 10, .undecided)]) == .processing)
        // Sent as the store's own answer, however it looks.
        #expect(stage(60, .timedOut, [Self.attempt(received: 10, .refused(.timedOut))]) == .processing)
    }

    @Test func lostAnswerFailsOnItsWayBack() {
        let charged = PurchaseAttempt.Outcome.charged(TransactionID(number: 3))
        for outcome in [charged, .cancelled, .refused(.store(.unknown)), .awaitsApproval] {
            #expect(stage(60, .timedOut, [Self.attempt(received: 10, sheet: 20, outcome)]) == .receiving)
        }
        #expect(stage(60, .timedOut, [Self.attempt(received: 10, sheet: 20, .undecided)]) == .deciding)
        #expect(stage(60, .timedOut, [Self.attempt(received: 10, .undecided)]) == .processing)
    }

    // MARK: Codes

    @Test(
        arguments: [
            (.store(.paymentCancelled), "paymentCancelled"), (.store(.unknown), "unknown"),
            (.store(.overlayPresentedInBackgroundScene), "overlayPresentedInBackgroundScene"),
            (.alreadySubscribed, "unknown"), (.interrupted, "unknown"), (.tooManyRefreshes, "unknown"),
            (.undocumentedCancel, "907"), (.noError, "none"), (.timedOut, "URLError.timedOut"),
            (.network(code: -1009), "URLError.notConnectedToInternet"), (.network(code: -999), "URLError.-999"),
        ] as [(StoreFailure, String)])
    func failureCodesAreTheAppsErrorCodes(failure: StoreFailure, code: String) { #expect(failure.code == code) }

    @Test func thresholdsKnowEveryFailureCode() {
        for failure in StoreFailure.named.values { #expect(StoreFailure.codes.contains(failure.code), "\(failure)") }
        #expect(Set(StoreFailure.codes).count == StoreFailure.codes.count)
        for (code, raw) in zip(StoreErrorCode.allCases, 0...) { #expect(code.rawValue == raw) }
    }

    // MARK: Into the tally

    private static func paid(_ payment: Int32) -> DeviceEvent {
        .paymentAdded(.init(payment, product: 0, quantity: 1, asked: 1))
    }

    private static func delivered(_ payment: Int32?, _ state: TransactionState, id: Int64? = nil) -> DeviceEvent {
        let id = id.map { TransactionID(number: $0) }
        return .delivered(.init(id, handle: payment ?? 9, payment: payment, product: 0, state: state))
    }

    private func measurements(
        _ events: [(Int, DeviceEvent)], _ attempts: [PurchaseAttempt] = [], warmUp: Int64 = 0,
        parts: [SelectionRule] = []
    ) -> Measurements {
        var statement = AccountStatement()
        statement.attempts = attempts
        let records = events.map { EventRecord(at: Self.instant(Int64($0.0)), process: 1, $0.1) }
        let story = UserStory(
            of: AuditInput(
                catalog: Shop.catalog, statement: statement, events: records, held: [0, 0, 0],
                goodsPerPurchase: [1, 1, 1]))
        let tally = Tally(selections: parts)
        Measures(story, of: SampleOrigin(entry: 0), warmUp: Self.instant(warmUp), into: tally).measureEvents()
        return tally.measurements
    }

    @Test func eachFailureHasItsOwnCodeAndStage() {
        let failed = measurements(
            [
                (1, Self.paid(1)), (1, Self.delivered(1, .purchasing)), (1, Self.paid(2)),
                (1, Self.delivered(2, .purchasing)),
                (50, Self.delivered(1, .failed)), (50, .failureDelivered(payment: 1, .store(.paymentCancelled))),
                (90, Self.delivered(2, .failed)), (90, .failureDelivered(payment: 2, .timedOut)),
                // Told again: the same failure.
                (95, Self.delivered(1, .failed)), (95, .failureDelivered(payment: 1, .store(.paymentCancelled))),
            ], [Self.attempt(received: 10, sheet: 20, .cancelled)])
        let counted = failed[.purchasesFailed]
        #expect(counted.count == 2)
        #expect(counted.tags == ["paymentCancelled": 1, "URLError.timedOut": 1])
        #expect(counted.stages == ["deciding": 1, "sending": 1])
        #expect(failed.series.counts(of: .purchasesFailed).reduce(0, +) == 2)
        #expect(failed[.purchaseDuration].response(of: .failure)?.count == 2)
        #expect(failed[.purchaseDuration].response(of: .success) == nil)
    }

    @Test(
        arguments: [
            (.purchased, .success), (.restored, .success), (.failed, .failure), (.deferred, .deferred),
        ] as [(TransactionState, PaymentOutcome)])
    func firstEndingIsTheOutcome(state: TransactionState, outcome: PaymentOutcome) {
        var rule = SelectionRule(
            MetricSelection(metric: .purchaseDuration, tags: [MetricTag(name: "outcome", value: outcome.rawValue)]))
        rule.outcome = outcome.rawValue
        let events = [
            (1, Self.paid(1)), (1, Self.delivered(1, .purchasing)), (31, Self.delivered(1, state, id: 4)),
            (70, Self.delivered(1, .purchased, id: 4)),
        ]
        let measured = measurements(events, [Self.attempt(received: 10, .awaitsApproval)], parts: [rule])
        for other in PaymentOutcome.allCases {
            let expected: Int64? = other == outcome ? 30_000_000 : nil
            #expect(measured[.purchaseDuration].response(of: other)?.maximum == expected, "\(other)")
        }
        #expect(measured.named(rule.selection.name)?.response?.count == 1)
    }

    // R22: the device hands out the purchase that the store has not confirmed, and asks nobody.
    @Test func purchaseAnsweredByTheDeviceIsInstant() {
        let atOnce = [
            (5, Self.paid(1)), (5, Self.delivered(1, .purchasing)), (5, Self.delivered(1, .purchased, id: 4)),
        ]
        let instant = measurements(atOnce)
        #expect(instant[.purchaseDuration].instant == 1 && instant[.purchaseDuration].response == nil)
        #expect(instant[.purchaseSending].response == nil && instant.stages.bands.isEmpty)
        #expect(instant.series.purchaseDurations.allSatisfy { $0 == nil })
        #expect(measurements(atOnce, warmUp: 6)[.purchaseDuration].instant == 0)
        // It reached a store that takes no time.
        let served = measurements(atOnce, [Self.attempt(received: 5, .charged(TransactionID(number: 4)))])
        #expect(served[.purchaseDuration].instant == 0 && served[.purchaseDuration].response?.count == 1)
        // It waited for its turn on the device, and the buyer with it.
        let waited = measurements([(5, Self.paid(1)), (9, Self.delivered(1, .purchased, id: 4))])
        #expect(waited[.purchaseDuration].instant == 0 && waited[.purchaseDuration].response?.count == 1)
    }

    private static func asked(_ kind: RequestKind, planned: Int64 = 3) -> DeviceEvent {
        .asked(.init(kind, 1, product: kind == .purchase ? 0 : nil, quantity: 1, plannedAt: instant(planned)))
    }

    private static func answered(_ code: AnswerCode, _ kind: RequestKind) -> DeviceEvent {
        .answered(.init(code, to: kind, 1))
    }

    @Test func requestsThatTheStoreDidNotServeAreInstant() {
        let kept = [(3, Self.asked(.fetch)), (3, Self.answered(.fetched, .fetch))]
        let offline = [
            (3, Self.asked(.fetch)), (3, .productsStarted(request: 1, asked: 1)),
            (3, .productsFailed(request: 1, .offline, isHeard: true)), (3, Self.answered(.failed, .fetch)),
        ]
        for events in [kept, offline] {
            let fetched = measurements(events)[.productsFetchDuration]
            #expect(fetched.instant == 1 && fetched.response == nil && fetched.service == nil)
        }
        let turnedAway = [
            (3, Self.asked(.restore)), (3, .restoreCalled), (3, .restoreFailed(.store(.unknown))),
            (3, Self.answered(.failed, .restore)),
        ]
        #expect(measurements(turnedAway)[.restoreDuration].instant == 1)
        #expect(measurements(turnedAway, warmUp: 4)[.restoreDuration].instant == 0)
    }

    @Test func delayedOrStoreServedRequestsAreNotInstant() {
        // The user was kept waiting before the app was asked.
        let late = measurements([(3, Self.asked(.fetch, planned: 1)), (3, Self.answered(.fetched, .fetch))])
        #expect(late[.productsFetchDuration].instant == 0 && late[.productsFetchDuration].response?.count == 1)
        let noLatency = [
            (3, Self.asked(.fetch)), (3, .productsStarted(request: 1, asked: 1)),
            (3, .productsDelivered(.init(1, found: 3))),
            (3, Self.answered(.fetched, .fetch)),
        ]
        #expect(measurements(noLatency)[.productsFetchDuration].instant == 0)
        let restored = [
            (3, Self.asked(.restore)), (3, .restoreCalled), (3, .restoreFinished),
            (3, Self.answered(.nothingToRestore, .restore)),
        ]
        #expect(measurements(restored)[.restoreDuration].response?.count == 1)
    }

    // MARK: In whole runs

    // Only without a network is anything answered in no time.
    @Test(
        arguments: zip(
            ["flaky-network", "release-day", "quickstart", "interrupted-purchases"], [true, true, false, false]))
    func stagesCodesAndInstantsAddUpInEveryRun(name: String, hasInstantAnswers: Bool) throws {
        var scenario = try Scenario.shipped(name, users: 200)
        let timed = [MetricName.purchaseDuration, .restoreDuration, .productsFetchDuration]
        for metric in timed {
            for answer in AnswerSource.allCases.map(\.rawValue) {
                scenario.subMetrics.append(
                    MetricSelection(metric: metric, tags: [MetricTag(name: "answer", value: answer)]))
            }
        }
        let measurements = run(scenario).collector.tally.measurements
        let failed = measurements[.purchasesFailed]
        #expect(failed.count > 0)
        #expect(failed.tags.values.reduce(0, +) == failed.count && failed.stages.values.reduce(0, +) == failed.count)
        #expect(Set(failed.tags.keys).isSubset(of: StoreFailure.codes))
        let whole = measurements[.purchaseDuration]
        let apart = PaymentOutcome.allCases.compactMap { whole.response(of: $0) }
        #expect(apart.count > 1)
        #expect(apart.reduce(0) { $0 + $1.count } == whole.response?.count)
        #expect(apart.reduce(0) { $0 + $1.sum } == whole.response?.sum)
        for metric in timed {
            let whole = measurements[metric]
            func part(_ answer: String) -> Int? {
                measurements.named("\(metric.name){answer:\(answer)}")?.response?.count
            }
            #expect(whole.response?.minimum ?? 1 > 0, "\(metric.name)")
            #expect(part("served") == whole.response?.count && part("instant") ?? 0 == whole.instant, "\(metric.name)")
        }
        #expect(timed.contains { measurements[$0].instant > 0 } == hasInstantAnswers)
    }
}
