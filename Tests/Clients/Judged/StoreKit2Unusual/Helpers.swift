// What several of the unusual clients need: the device, a purchase's answer, a careful reading of entitlements.
// Any thread: values, and an actor.

import ClientKit
import Foundation
import StoreKit

/// The app's device. Guard: `AppEnvironment` takes calls from every thread.
struct Phone: @unchecked Sendable {
    let environment: AppEnvironment

    init(_ environment: AppEnvironment) { self.environment = environment }

    var now: Date { environment.now }
    var sold: [String] { environment.products.map(\.identifier) }
    /// What is held once or not at all.
    var lasting: [String] { environment.products.filter { $0.kind != .consumable }.map(\.identifier) }
}

/// A way to the till that all clients share.
enum Till {
    static func product(_ identifier: String) async throws -> Product? {
        try await Product.products(for: [identifier]).first
    }

    static func options(_ quantity: Int) -> Set<Product.PurchaseOption> {
        quantity == 1 ? [] : [.quantity(quantity)]
    }
}

extension PurchaseOutcome {
    static let notSold = PurchaseOutcome.refused(reason: "The store does not sell it.")
    static let alreadyYours = PurchaseOutcome.failed(
        message: "You have this purchase already, and nothing was charged.")
}

extension Transaction {
    /// Whether it entitles to nothing any more, as far as it says so itself: of a grace period it does not tell.
    func isOver(at now: Date) -> Bool {
        revocationDate != nil || isUpgraded || expirationDate.map { $0 <= now } ?? false
    }
}

/// What this launch has granted, and what purchases were answered with: one charge is one answer.
struct AnswerBook {
    private var granted: [UInt64] = []
    private var answered: Set<UInt64> = []

    /// Where a purchase begins.
    var place: Int { granted.count }

    /// Note it in the same step as the grant.
    mutating func note(_ transaction: Transaction) { granted.append(transaction.id) }

    /// It was answered with something else than goods.
    mutating func close(_ transaction: Transaction) { answered.insert(transaction.id) }

    /// A consumable counts if it was granted since the purchase began, by whichever task.
    mutating func outcome(of transaction: Transaction, since place: Int) -> PurchaseOutcome {
        if transaction.productType != .consumable { return .purchased }
        let isNew = granted[place...].contains(transaction.id) && answered.insert(transaction.id).inserted
        return isNew ? .purchased : .alreadyYours
    }
}

/// To what the user is entitled, and what has ended for certain.
struct Standing: Sendable {
    var entitled: Set<String> = []
    var ended: Set<String> = []
    /// Something was not verified, or the store says nothing of a product that is held.
    var isDoubtful = false

    /// An empty list may just mean that the store is out of reach. So a product has ended only if its latest
    /// transaction says so, before the list is read and after it: the device then had its record all the time.
    static func read(of held: [String], on phone: Phone) async -> Standing {
        var standing = Standing()
        let over = await phone.over(held)
        var doubtful: Set<String> = []
        for await result in Transaction.currentEntitlements {
            switch result {
            case .verified(let transaction): standing.entitled.insert(transaction.productID)
            case .unverified(let transaction, _): doubtful.insert(transaction.productID)
            }
        }
        let missing = held.filter { !standing.entitled.contains($0) && !doubtful.contains($0) }
        standing.ended = await phone.over(missing.filter(over.contains))
        standing.isDoubtful = !doubtful.isEmpty || standing.ended.count < missing.count
        return standing
    }
}

extension Phone {
    /// The products whose latest transaction is verified, and over.
    func over(_ products: [String]) async -> Set<String> {
        var over: Set<String> = []
        for product in products {
            guard case .verified(let latest)? = await Transaction.latest(for: product) else { continue }
            if latest.isOver(at: now) { over.insert(product) }
        }
        return over
    }
}

/// The goods that are not consumable, kept in line with what the user is entitled to.
actor LastingGoods {
    private let goods: Goods
    private let phone: Phone
    /// How often a reading was asked for: a reading under way does not know of what has come since.
    private var wanted = 0
    private var reading: Task<Int, Never>?
    private var patience = 0
    private var looksAgain = false

    init(_ goods: Goods, _ phone: Phone) {
        self.goods = goods
        self.phone = phone
    }

    /// Grants what a transaction brings, and returns after a reading that began later. What it took back or replaced
    /// has gone by then.
    func take(_ transaction: Transaction) async {
        if !transaction.isUpgraded { goods.grant(transaction) }
        await read()
    }

    /// Returns to how many products the user is entitled.
    @discardableResult
    func read() async -> Int {
        patience = 5
        return await readOnce()
    }

    private func readOnce() async -> Int {
        wanted += 1
        if let reading { return await reading.value }
        let task = Task { await readUntilCurrent() }
        reading = task
        return await task.value
    }

    private func readUntilCurrent() async -> Int {
        while true {
            let before = wanted
            let standing = await Standing.read(of: phone.lasting.filter { goods.count(of: $0) > 0 }, on: phone)
            if before != wanted { continue }
            for product in standing.entitled.sorted() where goods.count(of: product) == 0 { goods.add(product) }
            for product in standing.ended.sorted() { goods.remove(product) }
            reading = nil
            if standing.isDoubtful { lookAgain() }
            return standing.entitled.count
        }
    }

    /// What could not be told now may be told in a moment.
    private func lookAgain() {
        guard patience > 0, !looksAgain else { return }
        patience -= 1
        looksAgain = true
        Task {
            try? await Task.sleep(for: .seconds(3))
            looksAgain = false
            _ = await readOnce()
        }
    }
}

/// Looks again after something could not be verified: in a moment it may be, and it is not told again by itself.
actor SecondLook {
    private var left = 5
    private var isWaiting = false

    func ask(_ look: @escaping @Sendable () async -> Void) {
        guard left > 0, !isWaiting else { return }
        left -= 1
        isWaiting = true
        Task {
            try? await Task.sleep(for: .seconds(3))
            isWaiting = false
            await look()
        }
    }
}

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
