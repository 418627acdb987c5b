// Broken clients that mistake what an unverified transaction is.
// On any thread, as their base.

import ClientKit
import Foundation
import StoreKit

/// Defect: the app takes whatever StoreKit hands over for a purchase, and does not look whether its signature holds.
/// A forged transaction brings goods without a payment.
final class TrustsUnverified: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-trusts-unverified" }

    override func verified(_ result: VerificationResult<Transaction>) -> Transaction? { result.unsafePayloadValue }
}

/// Defect: the app finishes what it cannot verify, lest it come again at each launch. Where the signature only did
/// not hold at that moment, the user has paid for a consumable that is never delivered.
final class FinishesUnverified: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-finishes-unverified" }

    override func process(_ result: VerificationResult<Transaction>) async -> Bool {
        switch result {
        case .verified(let transaction): return await take(transaction)
        case .unverified(let transaction, _):
            await transaction.finish()
            return false
        }
    }
}

/// Defect: the app keeps a list of transactions that it could not verify, and refuses them from then on. A later
/// delivery of the same purchase, which could be verified, is refused as well.
final class RefusesForEver: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-blacklists-unverified" }

    private let refused: Ledger

    required init(environment: AppEnvironment) {
        refused = Ledger(environment, "refused.json")
        super.init(environment: environment)
    }

    override func verified(_ result: VerificationResult<Transaction>) -> Transaction? {
        switch result {
        case .verified(let transaction): return refused.contains("\(transaction.id)") ? nil : transaction
        case .unverified(let transaction, _):
            if !refused.contains("\(transaction.id)") { refused.note("\(transaction.id)") }
            return nil
        }
    }
}
