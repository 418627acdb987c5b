// That shop in scenarios, under both clocks: crashes, a network that comes and goes, many devices at once.

import ClientKit
import Engine
import Foundation
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

private final class KeychainShopClient: StoreClient {
    private let shop = KeychainShop()

    static var options: [ClientOption] { [ClientOption(name: "notes", values: ["any"], meaning: "Whose these are.")] }
    static func goods(perPurchaseOf productIdentifier: String) -> Int { 1 }

    func launch() {
        let notes = Notes.of(environment.options)
        shop.hears = { notes?.add($0) }
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        environment.withProduct(productIdentifier) { [shop] result in
            switch result {
            case .failure(let error): completion(PurchaseOutcome(error))
            case .success(nil): completion(.refused(reason: "not sold"))
            case .success(let product?):
                shop.buy(product, quantity: quantity) { transaction, isNew in
                    let outcome = isNew ? PurchaseOutcome(transaction) : .failed(message: "delivered before")
                    outcome.map(completion)
                }
            }
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { result in
            switch result {
            case .success(let count): completion(.restored(count: count))
            case .failure(let error): completion(RestoreOutcome(error))
            }
        }
    }

    func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: environment.products.map { ($0.identifier, shop.held($0.identifier)) })
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct KeychainShopTests {
    private func scenario(clock: String, users: Int, steps: [String], sections: [String] = []) throws -> Scenario {
        try Scenario.journey(
            ["launch", "fetch_products"] + steps,
            sections: [
                "clock: \(clock)", "population: {users: \(users), owns: {unlock_maps: 30%}}",
                "app: {relaunch_after: 10ms..50ms}", "buyers: {decide_after: 1ms..5ms}",
            ] + sections, naming: KeychainShopClient.self)
    }

    private func expectKept(_ result: RunResult) {
        #expect(result.unjudgedUsers == 0)
        #expect(result.violations.filter { $0.key.isViolation }.isEmpty, "\(result.story)")
    }

    @Test(arguments: ["virtual", "wall"])
    func keychainShopLosesNoPurchase(clock: String) throws {
        let scenario = try scenario(
            clock: clock, users: 200,
            steps: ["buy: extra_lives", "background: 20ms", "buy: superpowers", "restore", "terminate"],
            sections: ["network: {latency: 1ms..5ms}", "faults: {crash: {share: 5%, at: any_effect}}"])
        let result = run(scenario, KeychainShopClient.self, workers: 2)
        expectKept(result)
        #expect(result.count(.crashes) > 20)
    }

    @Test(arguments: ["virtual", "wall"])
    func keychainShopSeesTheNetworkOfItsDevice(clock: String) throws {
        let notes = Notes()
        let scenario = try scenario(
            clock: clock, users: 20, steps: ["think: 400ms..500ms", "buy: extra_lives", "terminate"],
            sections: ["network: {latency: 1ms..5ms, request_timeout: 50ms, offline: {share: 50%, for: 40ms}}"])
        expectKept(run(scenario, KeychainShopClient.self, options: notes.options, workers: 2))
        #expect(notes.ofDevices.count == 20)
        #expect(notes.ofDevices.contains { Set($0) == ["online", "offline"] })
        for lines in notes.ofDevices {
            // One launch after the other, each beginning anew; within one it is never told the same twice.
            #expect(zip(lines, lines.dropFirst()).count { $0 == $1 } <= 2, "\(lines)")
        }
        // Not all at once: each device has a network of its own.
        #expect(Set(notes.ofDevices.map(\.count)).count > 1)
    }

    // What was used and bought before and after counts, and what the deleted app left is nobody's gift.
    @Test(arguments: ["virtual", "wall"])
    func keychainOutlivesTheDeletedApp(clock: String) throws {
        let scenario = try scenario(
            clock: clock, users: 60,
            steps: [
                "buy: unlock_maps", "buy: extra_lives", "buy: extra_lives", "terminate", "reinstall", "launch",
                "restore",
                "buy: extra_lives", "terminate", "reinstall", "launch", "buy: superpowers",
            ], sections: ["network: {latency: 1ms..5ms}", "faults: {crash: {share: 5%, at: any_effect}}"])
        expectKept(run(scenario, KeychainShopClient.self, workers: 2))
    }
}
