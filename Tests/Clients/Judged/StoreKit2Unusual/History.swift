// A client that decides from all transactions what the user has.
// An actor guards what it knows; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app reads the whole history and decides itself what still counts. Consumables in it are ignored, finished
/// or not: the app grants them by their identifiers, when they are handed over as unfinished.
final class HistoryClient: AsyncStoreClient {
    static let name = "sk2-history"
    static let summary = "Decides from all transactions what counts, and grants consumables by identifier."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { shop.start() }
    func willEnterForeground() { Task { [shop] in await shop.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await shop.catchUp())
    }
    func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { shop.goods.held }

    actor Shop {
        nonisolated let goods: Goods
        private let phone: Phone
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var studies = 0
        private var study: Task<Int, Never>?
        private var patience = 0

        init(_ phone: Phone, _ goods: Goods) { (self.phone, self.goods) = (phone, goods) }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task { await catchUp() }
        }

        @discardableResult
        func catchUp() async -> Int {
            patience = 5
            for await result in Transaction.unfinished { await deliver(result) }
            return await studyHistory()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return book.outcome(of: transaction, since: place)
        }

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
            } else {
                if !transaction.isUpgraded { goods.grant(transaction) }
                _ = await studyHistory()
            }
            await transaction.finish()
        }

        private enum Finding { case counts, hasEnded, isUnknown }

        private func studyHistory() async -> Int {
            studies += 1
            if let study { return await study.value }
            let task = Task {
                while true {
                    let before = studies
                    let findings = await findings()
                    if before != studies { continue }
                    let held = Set(phone.lasting.filter { goods.count(of: $0) > 0 })
                    for product in phone.lasting where findings[product] == .counts && !held.contains(product) {
                        goods.add(product)
                    }
                    for product in phone.lasting where findings[product] == .hasEnded && held.contains(product) {
                        goods.remove(product)
                    }
                    study = nil
                    if held.contains(where: { findings[$0] == .isUnknown }) { lookAgain() }
                    return findings.values.count { $0 == .counts }
                }
            }
            study = task
            return await task.value
        }

        private func findings() async -> [String: Finding] {
            var history: [String: [VerificationResult<Transaction>]] = [:]
            for await result in Transaction.all {
                history[result.unsafePayloadValue.productID, default: []].append(result)
            }
            var findings: [String: Finding] = [:]
            for product in phone.lasting { findings[product] = await finding(product, history[product] ?? []) }
            return findings
        }

        private func finding(_ product: String, _ history: [VerificationResult<Transaction>]) async -> Finding {
            let verified = history.compactMap { try? $0.payloadValue }
            if verified.contains(where: { !$0.isOver(at: phone.now) }) { return .counts }
            // Nothing at all may mean that the store is out of reach.
            if history.isEmpty || verified.count < history.count { return .isUnknown }
            guard let own = verified.last(where: { $0.ownershipType == .purchased && $0.subscriptionGroupID != nil })
            else { return .hasEnded }
            // The dates do not tell of a grace period.
            guard let status = await own.subscriptionStatus else {
                return await phone.over([product]).isEmpty ? .isUnknown : .hasEnded
            }
            let runs = status.state == .subscribed || status.state == .inGracePeriod
            guard case .verified(let latest) = status.transaction else { return runs ? .isUnknown : .hasEnded }
            return runs && latest.productID == product ? .counts : .hasEnded
        }

        private func lookAgain() {
            guard patience > 0 else { return }
            patience -= 1
            Task {
                try? await Task.sleep(for: .seconds(3))
                _ = await studyHistory()
            }
        }
    }
}
