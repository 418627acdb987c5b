// The stages of a purchase add up to its whole.

import ClientKit
import Engine
import Metrics
import RunSupport
import Scenario
import Testing

@testable import Judgement
@testable import Simulation

@Suite struct StageTests {
    private func instant(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    private func attempt(
        _ payment: Int, received: Int64, arrived: Int64, sheet: Int64? = nil, decided: Int64? = nil
    ) -> PurchaseAttempt {
        var attempt = PurchaseAttempt(
            payment: PaymentToken(number: payment), product: 0, quantity: 1, receivedAt: instant(received),
            arrivedAt: instant(arrived))
        attempt.sheetAt = sheet.map(instant)
        attempt.decidedAt = decided.map(instant)
        return attempt
    }

    private func stages(_ added: Int64, _ told: Int64, _ attempts: [PurchaseAttempt]) -> [Int64] {
        PurchaseStages(of: 1, from: instant(added), to: instant(told), attempts[...]).parts.map { $0 / 1_000_000 }
    }

    @Test func purchaseTimeIsSplitIntoStages() {
        let attempts = [
            attempt(2, received: 3, arrived: 4), attempt(1, received: 10, arrived: 15, sheet: 15, decided: 95),
        ]
        #expect(stages(0, 100, attempts) == [10, 5, 80, 5])
    }

    @Test func purchaseThatNeverArrivedIsAllSending() { #expect(stages(5, 65, []) == [60, 0, 0, 0]) }

    @Test func secondAttemptCountsAsSendingAgain() {
        let attempts = [
            attempt(1, received: 10, arrived: 10, sheet: 10, decided: 30), attempt(1, received: 70, arrived: 80),
        ]
        #expect(stages(0, 100, attempts) == [50, 10, 20, 20])
    }

    @Test func stagesExcludeTheStoresLaterWork() {
        // The device gave up while the sheet was up, and tried again after it had told the app.
        let attempts = [
            attempt(1, received: 10, arrived: 10, sheet: 10, decided: 300), attempt(1, received: 150, arrived: 150),
        ]
        #expect(stages(0, 100, attempts) == [10, 0, 90, 0])
    }

    // Whatever the books say, in whatever order.
    @Test(arguments: 0..<500)
    func stagesAddUpForEveryPurchase(user: Int) {
        var chance = RandomStream(seed: 9, user: user, purpose: .journey)
        func drawn(_ limit: UInt64) -> Int64 { Int64(chance.below(limit)) }
        let added = drawn(100)
        let told = added + drawn(1_000)
        let attempts = (0..<drawn(6)).map { _ in
            let sheet: Int64? = drawn(2) == 0 ? nil : drawn(1_300)
            return attempt(
                Int(drawn(2)) + 1, received: drawn(1_300), arrived: drawn(1_300), sheet: sheet,
                decided: drawn(3) == 0 ? nil : drawn(1_300))
        }
        let stages = PurchaseStages(of: 1, from: instant(added), to: instant(told), attempts[...])
        #expect(stages.total == (told - added) * 1_000_000)
        #expect(stages.parts.allSatisfy { $0 >= 0 })
    }

    // And for whole runs: as many samples in each stage as there are purchases, and one sum.
    @Test(arguments: ["crash-anywhere", "flaky-network", "interrupted-purchases", "many-devices", "delivery-chaos"])
    func stagesAddUpInEveryRun(name: String) throws {
        let tally = run(try Scenario.shipped(name, users: 200)).collector.tally
        let whole = try #require(tally.measurements[.purchaseDuration].response)
        let parts = try PurchaseStages.metrics.map { try #require(tally.measurements[$0].response) }
        #expect(parts.allSatisfy { $0.count == whole.count })
        #expect(parts.reduce(0) { $0 + $1.sum } == whole.sum)
        #expect(tally.measurements.stages.bands.reduce(0) { $0 + $1.count } == whole.count)
        #expect(tally.measurements.stages.bands.reduce(0) { $0 + $1.sums.reduce(0) { $0 + $1.value } } == whole.sum)
    }

    // What is placed in time is counted too; what comes after the journeys is only counted.
    @Test(arguments: ["crash-anywhere", "flaky-network"])
    func timeSeriesNeverExceedsTheCounters(name: String) throws {
        let tally = run(try Scenario.shipped(name, users: 200)).collector.tally
        for metric in TimeSeries.counted {
            guard case .counter(let count, _) = tally.measurements[metric].reading(seconds: 1) else { continue }
            let placed = tally.measurements.series.counts(of: metric).reduce(0, +)
            #expect(placed <= count, "\(metric.name)")
            if metric == .launches { #expect(placed > 0) }
        }
        #expect((tally.measurements.series.activeUsers.max() ?? 0) <= 200)
    }
}
