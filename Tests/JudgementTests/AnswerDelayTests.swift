// How long the app took to answer once StoreKit had told how a request ended.
// By hand, in milliseconds; then in whole runs.

import Engine
import Metrics
import RunSupport
import Scenario
import Testing

@testable import Judgement
@testable import Simulation

@Suite struct AnswerDelayTests {
    private static let purchase = DeviceEvent.asked(.init(.purchase, 1, product: 0, quantity: 1, plannedAt: .start))
    private static let fetch = DeviceEvent.asked(.init(.fetch, 1, plannedAt: .start))
    private static let restore = DeviceEvent.asked(.init(.restore, 1, plannedAt: .start))

    private static func paid(_ payment: Int32) -> DeviceEvent {
        .paymentAdded(.init(payment, product: 0, quantity: 1, asked: 1))
    }

    private static func delivered(_ payment: Int32?, _ state: TransactionState, id: Int64? = nil) -> DeviceEvent {
        let id = id.map { TransactionID(number: $0) }
        return .delivered(.init(id, handle: payment ?? 9, payment: payment, product: 0, state: state))
    }

    private static func answered(_ code: AnswerCode, _ kind: RequestKind, _ number: Int32 = 1) -> DeviceEvent {
        .answered(.init(code, to: kind, number, product: kind == .purchase ? 0 : nil))
    }

    /// Of the samples, in milliseconds: shortest, longest; empty without any.
    private func delays(_ events: [(Int, DeviceEvent)], warmUp: Int64 = 0) -> [Int64] {
        var statement = AccountStatement()
        // Of payment 1, which was interrupted, and then came as transaction 7.
        var attempt = PurchaseAttempt(
            payment: PaymentToken(number: 1), product: 0, quantity: 1, receivedAt: .start, arrivedAt: .start,
            outcome: .interrupted)
        attempt.completedBy = TransactionID(number: 7)
        statement.attempts = [attempt]
        let records = events.map { EventRecord(at: .start + .milliseconds(Int64($0.0)), process: 1, $0.1) }
        let story = UserStory(
            of: AuditInput(
                catalog: Shop.catalog, statement: statement, events: records, held: [0, 0, 0],
                goodsPerPurchase: [1, 1, 1]))
        let tally = Tally()
        Measures(story, of: SampleOrigin(entry: 0), warmUp: .start + .milliseconds(warmUp), into: tally)
            .measureEvents()
        guard let trend = tally.measurements[.answerDelay].response else { return [] }
        return [trend.minimum, trend.maximum].compactMap { $0.map { $0 / 1_000_000 } }
    }

    // Whatever the outcome, the callback that told it counts, and not what came before it.
    @Test(
        arguments: [(.purchased, .purchased), (.failed, .failed), (.deferred, .deferred)]
            as [(TransactionState, AnswerCode)])
    func purchaseDelayCountsFromItsDecidingCallback(state: TransactionState, answer: AnswerCode) {
        let events = [
            (1, Self.purchase), (2, .productsStarted(request: 1, asked: 1)),
            (5, .productsDelivered(.init(1, found: 3))),
            (6, Self.paid(1)), (7, Self.delivered(1, .purchasing)), (20, Self.delivered(1, state)),
            (33, Self.answered(answer, .purchase)),
        ]
        #expect(delays(events) == [13, 13])
    }

    // What was asked for last has not been told of: the app answered of its own.
    @Test func undecidedRequestHasNoAnswerDelay() {
        #expect(delays([(1, Self.purchase), (9, Self.answered(.refused, .purchase))]).isEmpty)
        #expect(delays([(1, Self.fetch), (9, Self.answered(.fetched, .fetch))]).isEmpty)
        #expect(delays([(1, Self.restore), (9, Self.answered(.failed, .restore))]).isEmpty)
        #expect(delays([(1, Self.purchase), (2, Self.paid(1)), (9, Self.answered(.failed, .purchase))]).isEmpty)
        let paidAgain = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .failed)), (6, Self.paid(2)),
            (9, Self.answered(.failed, .purchase)),
        ]
        #expect(delays(paidAgain).isEmpty)
        let restoredAgain = [
            (1, Self.restore), (2, .receiptRefreshStarted(request: 1)),
            (5, .receiptRefreshed(request: 1, writtenAt: nil)), (6, .restoreCalled),
            (9, Self.answered(.failed, .restore)),
        ]
        #expect(delays(restoredAgain).isEmpty)
        let unanswered = [(1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .purchased))]
        #expect(delays(unanswered).isEmpty)
    }

    @Test func answerDelayCountsFromTheLastCallback() {
        let triedAgain = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .failed)), (6, Self.paid(2)),
            (8, Self.delivered(2, .purchased)), (12, Self.answered(.purchased, .purchase)),
        ]
        #expect(delays(triedAgain) == [4, 4])
        let approved = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .deferred)),
            (50, Self.delivered(1, .purchased)),
            (57, Self.answered(.purchased, .purchase)),
        ]
        #expect(delays(approved) == [7, 7])
        // Nothing new in it.
        let toldTwice = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .failed)), (7, Self.delivered(1, .failed)),
            (9, Self.answered(.failed, .purchase)),
        ]
        #expect(delays(toldTwice) == [4, 4])
        // Interrupted, and come after all in a transaction of its own.
        let completed = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .failed)),
            (40, Self.delivered(nil, .purchased, id: 7)),
            (43, Self.answered(.purchased, .purchase)),
        ]
        #expect(delays(completed) == [3, 3])
    }

    // What StoreKit tells once the user has an answer has not decided that.
    @Test func answerDelayEndsAtTheFirstAnswer() {
        let approvedLater = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .deferred)),
            (11, Self.answered(.deferred, .purchase)), (50, Self.delivered(1, .purchased)),
            (57, Self.answered(.purchased, .purchase)),
        ]
        #expect(delays(approvedLater) == [6, 6])
    }

    @Test func restoreDelayCountsFromItsEnd() {
        for end in [DeviceEvent.restoreFinished, .restoreFailed(.store(.unknown))] {
            let events = [
                (1, Self.restore), (2, .restoreCalled), (5, Self.delivered(nil, .restored, id: 3)), (8, end),
                (10, Self.answered(.restored, .restore)),
            ]
            #expect(delays(events) == [2, 2])
        }
        let refreshed = [
            (1, Self.restore), (2, .receiptRefreshStarted(request: 1)),
            (8, .receiptRefreshed(request: 1, writtenAt: nil)), (13, Self.answered(.restored, .restore)),
        ]
        #expect(delays(refreshed) == [5, 5])
        let triedAgain = [
            (1, Self.restore), (2, .restoreCalled), (5, .restoreFailed(.store(.unknown))), (6, .restoreCalled),
            (20, .restoreFinished), (23, Self.answered(.restored, .restore)),
        ]
        #expect(delays(triedAgain) == [3, 3])
    }

    @Test func fetchDelayCountsFromItsResponse() {
        for end in [
            DeviceEvent.productsDelivered(.init(1, found: 3)),
            .productsFailed(request: 1, .store(.unknown), isHeard: true),
        ] {
            let events = [
                (1, Self.fetch), (2, .productsStarted(request: 1, asked: 1)), (8, end),
                (10, Self.answered(.fetched, .fetch)),
            ]
            #expect(delays(events) == [2, 2])
        }
    }

    // Two ask, and the app asks StoreKit once: both wait for the same response, and a restore does not.
    @Test func sharedResponseGivesEachRequestAnAnswerDelay() {
        let events = [
            (1, Self.fetch), (2, .productsStarted(request: 1, asked: 1)),
            (3, .asked(.init(.fetch, 2, plannedAt: .start))), (4, .asked(.init(.restore, 3, plannedAt: .start))),
            (8, .productsDelivered(.init(1, found: 3))), (10, Self.answered(.fetched, .fetch)),
            (17, Self.answered(.fetched, .fetch, 2)), (90, Self.answered(.failed, .restore, 3)),
        ]
        #expect(delays(events) == [2, 9])
        // One that was paid for meanwhile does not wait for products.
        let paid = [
            (1, Self.fetch), (2, .productsStarted(request: 1, asked: 1)),
            (3, .asked(.init(.purchase, 2, product: 0, quantity: 1, plannedAt: .start))),
            (4, .paymentAdded(.init(1, product: 0, quantity: 1, asked: 2))),
            (8, .productsDelivered(.init(1, found: 3))),
            (10, Self.answered(.fetched, .fetch)), (30, Self.answered(.failed, .purchase, 2)),
        ]
        #expect(delays(paid) == [2, 2])
    }

    @Test func answerDelayExcludesTheWarmUp() {
        let events = [
            (1, Self.purchase), (2, Self.paid(1)), (5, Self.delivered(1, .purchased)),
            (9, Self.answered(.purchased, .purchase)),
        ]
        #expect(delays(events, warmUp: 5) == [4, 4] && delays(events, warmUp: 6).isEmpty)
    }

    // In whole runs: never longer than the request, of which it is a part, and cut by products as purchases are.
    @Test func answerDelayIsAtMostTheRequestsDuration() throws {
        let scenario = try Scenario.shipped("quickstart", users: 200)
        let measurements = run(scenario).collector.tally.measurements
        let delay = try #require(measurements[.answerDelay].response)
        #expect(delay.count >= measurements[.purchases].count && delay.underflow == 0)
        let longest = [MetricName.purchaseDuration, .goodsDuration, .productsFetchDuration].compactMap {
            measurements[$0].response?.maximum
        }
        #expect((delay.maximum ?? .max) <= longest.reduce(0, +))
    }
}
