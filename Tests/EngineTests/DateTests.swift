// The store's dates and those that the app reads: an app compares them.

import ClientKit
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import Engine

/// Holds a subscription for as long as its receipt says that it lasts.
final class DatedClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "dated"

    private let device: AppEnvironment
    private var answer: ((PurchaseOutcome) -> Void)?
    private static let secondsMax = 120.0

    init(environment: AppEnvironment) { device = environment }

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answer = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { ["com.example.gym.gold": device.durableInteger("gold")] }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            let now = Date()
            let isNew = abs(transaction.transactionDate?.timeIntervalSince(now) ?? .infinity) < Self.secondsMax
            let receipt = device.receipt
            let isCurrent = receipt.map { abs($0.creationDate.timeIntervalSince(now)) < Self.secondsMax } ?? false
            let lasts = receipt?.inApp.contains { $0.isValid(at: now) && $0.purchaseDate <= now } ?? false
            if isNew, isCurrent, lasts, abs(device.now.timeIntervalSince(now)) < Self.secondsMax {
                device.write([("gold", .integer(1))])
            }
            queue.finishTransaction(transaction)
            answer?(.purchased)
        }
    }
}

@Suite struct DateTests {
    private static let gym = Catalog(
        products: [
            CatalogProduct(
                index: 0, identifier: "com.example.gym.gold", kind: .autoRenewableSubscription, referenceName: "Gold",
                price: 10,
                isFamilyShareable: false, localizations: [],
                subscription: .init(
                    groupIdentifier: "gym", level: 1, period: CalendarPeriod(count: 1, unit: .month)))
        ], storefront: .unitedStates, locale: "en_US")

    // A month that is bought today has not run out by today's date.
    @Test(arguments: [RunClock.virtual, .wall])
    func subscriptionIsActiveByTheAppsOwnDate(clock: RunClock) throws {
        var scenario = try Scenario.journey(["launch", "buy: gold", "terminate"], users: 3, catalog: Self.gym)
        scenario.clock = clock
        let result = run(scenario, DatedClient.self)
        #expect(result.collector.violationCounts[.lostPurchase] == nil)
        #expect(result.collector.tally.measurements[.deliveries].count == 3)
    }

    // Simulated dates are the same in every run.
    @Test func simulatedTimeBeginsWith2026() {
        let date = TimelineCalendar.simulated.date(of: .start)
        #expect(ISO8601DateFormatter().string(from: date) == "2026-01-01T00:00:00Z")
    }

    // A lane under the wall clock has the machine's date, also when time begins long after the lane was made.
    @Test func wallTimelineHasTheMachinesDate() {
        let timeline = WallTimeline()
        let lane = timeline.makeLane(wheel: timeline.makeWheel())
        timeline.begin()
        let before = Date()
        let date = lane.date
        #expect(date >= before.addingTimeInterval(-1) && date <= Date().addingTimeInterval(1))
    }
}
