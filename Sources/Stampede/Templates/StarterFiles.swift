// What `stampede init` writes: a scenario that explains itself, and a small catalog to begin with.
// Constants and pure text; any thread.

import Scenario
import Simulation
import Text

enum StarterFiles {
    /// A scenario over a catalog, which names products of it.
    ///
    /// - Parameters:
    ///   - catalog: what is sold; at least one product.
    ///   - reference: the catalog's path as the scenario names it.
    ///   - client: the code under test.
    static func scenario(_ catalog: Catalog, reference: String, client: String = "reference") -> String {
        let products = catalog.products
        let bought = products.filter { $0.kind == .consumable } + products.filter { $0.kind != .consumable }
        let choices = bought.prefix(3).map { "\(quoted(catalog.shortestName(of: $0))): 1" }.joined(separator: ", ")
        // Of subscriptions one: a second one may take the first one's place.
        let renewed = products.first { $0.kind == .autoRenewableSubscription }.map { [$0] } ?? []
        let kinds = products.filter { $0.kind != .autoRenewableSubscription }.prefix(10) + renewed
        let everything = kinds.map { "{buy: \(quoted(catalog.shortestName(of: $0)))}" }.joined(separator: ", ")
        let owned = products.first { $0.kind == .nonConsumable }.map { quoted(catalog.shortestName(of: $0)) }
        let owns = owned.map { ", owns: {\($0): 30%}" } ?? ""
        return """
            \(ScenarioSchema.comment)
            name: My first scenario
            description: >-
              Users open the app, look at the shop, buy, use what they bought, and come back. Some apps crash on the way, and
              some answers get lost. Shows whether every user gets exactly what the user paid for.
            # The same seed gives the same run on every machine; another seed gives another run.
            seed: 1
            # The code under test. 'stampede list clients' lists all clients; the README says how to add your own.
            client: \(client)
            store:
              # An Xcode StoreKit configuration file, relative to this file. Name products by their identifier, or by the part
              # after its last dot.
              catalog: \(quoted(reference))
            # Log-normal: half of the messages take less than the median, one in a hundred takes longer than p99.
            network: {latency: {median: 60ms, p99: 600ms}, lose_answer: 0.5%, request_timeout: 5s}
            buyers: {decide_after: 300ms..2s, cancel: 5%}
            population: {users: 2_000\(owns)}
            app: {relaunch_after: 500ms..2s}
            load:
              # All users start in the same instant. \(ScenarioSchema.fileName) lists other executors, such as
              # constant-arrival-rate, and the guide 'Write a scenario' explains them.
              - {name: shoppers, journey: shopper, executor: at-once, users: 1_600}
              - {name: collectors, journey: collector, executor: at-once}
            journeys:
              # Buys one of everything, so that `stampede sweep` tries each product.
              collector: [launch, \(everything), terminate]
              shopper:
                - launch
                - fetch_products
                - repeat:
                    times: 1..3
                    steps:
                      - think: 500ms..3s
                      - buy: {choose: {\(choices)}}
                      - use: all
                - terminate
                - think: 1s..5s
                - launch
                - restore
                - terminate
            faults:
              # Crashes just before an effect, an action that outlives the app's process: a StoreKit call, a write, an answer.
              crash: {share: 0.5%, at: any_effect}
            thresholds:
              # Exit code 110 if a user loses a purchase, gets it twice, or gets no answer.
              violations: count == 0
              # Exit code 99 if purchases take too long. 'stampede list metrics' lists all metrics that can have a threshold.
              purchase_duration: p(95) < 10s

            """
    }

    /// As YAML takes it for text, in flow style too.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || "_./".contains($0)) }
        let isWord = isPlain && text.utf8.contains { $0 != UInt8(ascii: ".") } && !reserved.contains(text.lowercased())
        return isWord
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    private static let reserved: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    /// What the catalog is called where there is none yet.
    static let catalogName = "Shop.storekit"

    static let catalog = """
        {
          "identifier": "7C0F4B10",
          "nonRenewingSubscriptions": [],
          "products": [
            { "type": "Consumable", "productID": "com.example.shop.coins", "referenceName": "Coins", "displayPrice": "0.99",
              "familyShareable": false, "internalID": "7C0F4B11",
              "localizations": [ { "locale": "en_US", "displayName": "Coins", "description": "A handful of coins." } ] },
            { "type": "Consumable", "productID": "com.example.shop.gems", "referenceName": "Gems", "displayPrice": "4.99",
              "familyShareable": false, "internalID": "7C0F4B12",
              "localizations": [ { "locale": "en_US", "displayName": "Gems", "description": "A handful of gems." } ] },
            { "type": "NonConsumable", "productID": "com.example.shop.no_ads", "referenceName": "No ads",
              "displayPrice": "2.99", "familyShareable": false, "internalID": "7C0F4B13",
              "localizations": [ { "locale": "en_US", "displayName": "No ads", "description": "For good." } ] }
          ],
          "settings": { "_locale": "en_US", "_storefront": "USA" },
          "subscriptionGroups": [],
          "version": { "major": 4, "minor": 0 }
        }

        """
}
