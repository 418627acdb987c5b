// Catalogs whose own settings have every request of a kind fail.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct FailingCatalogTests {
    /// The demo catalog with settings of Xcode's switched on.
    private func place(_ settings: [String: Any]) throws -> Workplace {
        let place = try Workplace()
        var catalog =
            try JSONSerialization.jsonObject(with: place.read("FakeGame.storekit")) as? [String: Any] ?? [:]
        catalog["settings"] = settings
        try place.write(try JSONSerialization.data(withJSONObject: catalog), to: "FakeGame.storekit")
        return place
    }

    private func run(_ place: Workplace, _ sections: String = "", store: String = "") throws -> Outcome {
        try place.write(
            """
            name: The catalog makes requests fail
            store: {catalog: FakeGame.storekit\(store)}
            population: {users: 5}
            load: [{journey: a, executor: at-once}]
            journeys: {a: [launch, fetch_products, {buy: extra_lives}, restore, terminate]}
            \(sections)

            """, to: "a.yml")
        return try place.stampede("run", "a.yml")
    }

    /// Of Xcode's settings all but one are off.
    private static func settings(_ name: String) -> [String: Any] {
        guard name.hasPrefix("_storeKitErrors: ") else { return [name: true] }
        let call = name.dropFirst("_storeKitErrors: ".count)
        return [
            "_storeKitErrors": [
                ["name": String(call), "enabled": true, "current": ["index": 0, "type": "generic"]] as [String: Any]
            ]
        ]
    }

    @Test(arguments: [
        ("_failTransactionsEnabled", "no purchase could succeed"),
        ("_storeKitErrors: Purchase", "no purchase could succeed"),
        ("_storeKitErrors: Load Products", "no fetch of products could succeed"),
        ("_storeKitErrors: App Store Sync", "no restore could succeed"),
    ])
    func catalogThatFailsEveryCallLeavesTheVerdictOpen(name: String, what: String) throws {
        let outcome = try run(place(Self.settings(name)))
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let words = outcome.all.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("\(what): the catalog's setting \(name) makes each attempt fail"), "\(words)")
    }

    // What the scenario states is what its author wants to see.
    @Test(arguments: [
        ("", ", errors: {purchase: {payment_invalid: 100%}}"), ("buyers: {cancel: 100%}", ""),
        ("buyers: {payments_disallowed: 100%}", ""),
    ])
    func runJudgesFailuresThatTheScenarioStates(sections: String, store: String) throws {
        let outcome = try run(place(["_failTransactionsEnabled": true]), sections, store: store)
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(try run(place([:]), sections, store: store).isStatus(.passed))
    }
}
