// Apps that are updated from the original API to StoreKit 2 while people use them.

import ClientKit
import Engine
import Judgement
import ReportModel
import RunSupport
import Scenario
import Specimens
import StoreKit2Shops
import Testing

@Suite struct MigrationTests {
    private static func moved(to client: String, users: Int = 120, seed: UInt64) throws -> Scenario {
        var scenario = try Scenario.shipped("migration/to-storekit2", users: users)
        scenario.seed = seed
        scenario.clock = .virtual
        scenario.journeys = scenario.journeys.map { journey in
            var journey = journey
            journey.steps = journey.steps.map { step in
                guard case .updateApp("storekit2") = step.kind else { return step }
                return Step(kind: .updateApp(client: client), path: step.path)
            }
            return journey
        }
        return scenario
    }

    // Forward, and back for some.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func correctMoveLosesNothing(seed: UInt64) throws {
        let result = run(try Self.moved(to: "storekit2", seed: seed))
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }

    /// What of a move is wrong, and by which rule it is found.
    private static let mistakes: [(MovedShop.Mistake, AuditRule)] = [
        (.beginsAnew, .lostPurchase), (.grantsHistory, .duplicateDelivery), (.clearsUnfinished, .lostPurchase),
        (.neverListens, .lostPurchase),
    ]

    @Test(arguments: mistakes)
    func mistakeOfAMoveIsFound(mistake: MovedShop.Mistake, rule: AuditRule) throws {
        let result = run(
            try Self.moved(to: MovedShop.name, seed: 1), options: ["mistake": mistake.rawValue]
        ) { $0.updates.append(MovedShop.self) }
        #expect(result.violations.keys.contains(rule), "\(result.violations)")
        #expect(result.collector.faultCount == 0, "\(result.story)")
    }

    // The timeline says which version is there.
    @Test func timelineNamesTheUpdate() throws {
        let result = run(try Self.moved(to: "storekit2", users: 20, seed: 1), onlyUser: 0)
        #expect(result.collector.onlyUserTimeline.contains { $0.text == "the app is updated to storekit2" })
    }
}
