// Which purchase is whose answer.

import Foundation

public enum Outcome: Sendable { case bought, waitsForApproval }

public enum TillError: LocalizedError {
    case notForSale, notAllowed, notVerified, deliveredBefore

    public var errorDescription: String? {
        switch self {
        case .notForSale: "The App Store does not sell this any more."
        case .notAllowed: "Purchases are switched off on this device."
        case .notVerified: "The App Store's signature is not right. Please try again."
        case .deliveredBefore: "You have this purchase already, and nothing was charged."
        }
    }
}

/// A second payment may be answered with the purchase that came of the first: one purchase answers one tap.
final class Till: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var delivered: [String] = []
    private var answered: Set<String> = []

    /// How much had been delivered at a tap.
    var mark: Int { lock.withLock { delivered.count } }

    func note(_ transaction: String) { lock.withLock { delivered.append(transaction) } }

    /// Whether the transaction is what the tap at that mark has bought.
    func answers(_ transaction: String, since mark: Int) -> Bool {
        lock.withLock { delivered[mark...].contains(transaction) && answered.insert(transaction).inserted }
    }
}
