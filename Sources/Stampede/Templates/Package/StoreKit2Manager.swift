// The app's purchases with StoreKit 2, as an actor.

import Foundation
import StoreKit

public actor PurchaseManager {
    public static let shared = PurchaseManager()

    public nonisolated let inventory = Inventory()
    private var products: [String: Product] = [:]
    /// What this launch has delivered, in order.
    private var delivered: [UInt64] = []
    /// What a purchase has been answered with: one charge is one answer.
    private var answered: Set<UInt64> = []
    /// The reading of entitlements that is under way, and how often one was asked for.
    private var reading: Task<Int, Never>?
    private var readings = 0

    public enum Outcome: Sendable { case bought, waitsForApproval, cancelled }

    public struct NotForSale: Error {}
    /// The App Store's signature does not hold.
    public struct NotGenuine: Error {}

    public init() {}

    /// Call it when the app has launched: StoreKit then hands over what the app has not finished.
    public nonisolated func start() {
        Task { for await result in Transaction.updates { _ = try? await process(result) } }
        Task {
            // Updates should have brought these already.
            for await result in Transaction.unfinished { _ = try? await process(result) }
            await readEntitlements()
        }
        // What people tap in the App Store.
        Task { for await intent in PurchaseIntent.intents { Task { _ = try? await buy(intent.product) } } }
    }

    /// Reads the entitlements again. Call it in `willEnterForeground`: a subscription may have ended meanwhile.
    public nonisolated func comesForward() { Task { await readEntitlements() } }

    public func fetch(_ identifiers: [String]) async throws -> [String] {
        let found = try await Product.products(for: identifiers)
        for product in found { products[product.id] = product }
        return found.map(\.id)
    }

    public func buy(_ identifier: String, quantity: Int) async throws -> Outcome {
        if products[identifier] == nil { _ = try await fetch([identifier]) }
        guard let product = products[identifier] else { throw NotForSale() }
        return try await buy(product, quantity: quantity)
    }

    private func buy(_ product: Product, quantity: Int = 1) async throws -> Outcome {
        let before = delivered.count
        switch try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)]) {
        case .success(let result):
            let transaction = result.unsafePayloadValue
            let isNew = try await process(result)
            if transaction.productType != .consumable { return .bought }
            // It may have come by the updates meanwhile, or among what is unfinished.
            guard isNew || delivered[before...].contains(transaction.id), answered.insert(transaction.id).inserted
            else { throw Inventory.deliveredBefore }
            return .bought
        case .pending: return .waitsForApproval
        case .userCancelled: return .cancelled
        @unknown default: return .cancelled
        }
    }

    /// Brings purchases up to date with the App Store, and returns to how many products the user is entitled.
    public func restore() async throws -> Int {
        try await AppStore.sync()
        return await readEntitlements().value
    }

    /// What a purchase returns, and what comes by itself.
    /// Returns false for a consumable delivered before: StoreKit may answer a second purchase with the first one.
    private func process(_ result: VerificationResult<Transaction>) async throws -> Bool {
        // An unverified transaction brings nothing, and comes again at the next launch.
        guard case .verified(let transaction) = result else { throw NotGenuine() }
        // Deliver first: StoreKit does not hand over a finished transaction again.
        let isNew = inventory.deliver(transaction)
        if isNew { delivered.append(transaction.id) }
        if transaction.productType != .consumable {
            let reading = readEntitlements()
            // Its time is up, unless a grace period goes on.
            if !inventory.holds(transaction) { _ = await reading.value }
        }
        await transaction.finish()
        return isNew
    }

    /// Reads to what the user is entitled. A reading that is under way begins anew: it does not know of what has come since.
    @discardableResult
    private func readEntitlements() -> Task<Int, Never> {
        readings += 1
        if let reading { return reading }
        let task = Task {
            while true {
                let before = readings
                var entitled: Set<String> = []
                for await result in Transaction.currentEntitlements {
                    if case .verified(let transaction) = result { entitled.insert(transaction.productID) }
                }
                if before != readings { continue }
                inventory.hold(entitled)
                reading = nil
                return entitled.count
            }
        }
        reading = task
        return task
    }
}
