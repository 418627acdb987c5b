// The counter that everything moves to: archive and subscription, by StoreKit 2.

import Foundation
import StoreKit

final class NewCounter: @unchecked Sendable {  // Guard: `lock`.
    private let shelf: Shelf
    private let till: Till
    private let lock = NSLock()
    private var reading: Task<Bool, Never>?
    private var readings = 0

    init(_ shelf: Shelf, _ till: Till) { (self.shelf, self.till) = (shelf, till) }

    /// It hears of the old counter's purchases as well.
    func open() {
        Task { for await result in Transaction.updates { await deliver(result) } }
        Task {
            for await result in Transaction.unfinished { await deliver(result) }
            readEntitlements()
        }
    }

    func buy(_ ware: String) async throws -> Outcome {
        guard let product = try await Product.products(for: [ware]).first else { throw TillError.notForSale }
        switch try await product.purchase() {
        case .success(let result):
            guard case .verified = result else { throw TillError.notVerified }
            await deliver(result)
            return .bought
        case .pending: return .waitsForApproval
        case .userCancelled: throw StoreKitError.userCancelled
        @unknown default: throw StoreKitError.unknown
        }
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if transaction.productType == .consumable {
            let identifier = "\(transaction.id)"
            let isRefunded = transaction.revocationDate != nil
            if !isRefunded, shelf.deliver(transaction.purchasedQuantity, of: identifier, by: .new) {
                till.note(identifier)
            }
        } else {
            if transaction.revocationDate == nil { shelf.add(transaction.productID) }
            let reading = readEntitlements()
            if !shelf.has(transaction.productID) { _ = await reading.value }
        }
        await transaction.finish()
    }

    /// A reading that is under way begins anew: it does not know of what has come since. True if all could be verified.
    @discardableResult
    func readEntitlements() -> Task<Bool, Never> {
        lock.withLock {
            readings += 1
            if let reading { return reading }
            let task = Task {
                while true {
                    let before = lock.withLock { readings }
                    var (entitled, isKnown): (Set<String>, Bool) = ([], true)
                    for await result in Transaction.currentEntitlements {
                        switch result {
                        case .verified(let transaction): entitled.insert(transaction.productID)
                        case .unverified: isKnown = false
                        }
                    }
                    if let isKnown = end(before, entitled, isKnown) { return isKnown }
                }
            }
            reading = task
            return task
        }
    }

    private func end(_ number: Int, _ entitled: Set<String>, _ isKnown: Bool) -> Bool? {
        lock.withLock {
            guard number == readings else { return nil }
            shelf.entitle(entitled)
            reading = nil
            return isKnown
        }
    }
}
