// What a client answers: to an opened shop, to a purchase, to a restore.
// Values; any thread.

internal import Foundation
public import StoreKit

/// What the user is shown after opening the shop.
public enum FetchOutcome: Sendable, Equatable {
    case fetched([String])
    case failed(message: String)
}

/// What the user is told about a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
    case purchased
    case cancelled
    /// It needs approval first.
    case deferred
    case failed(message: String)
    /// Turned away by the app before the store was asked.
    case refused(reason: String)
}

/// What the user is told about a restore.
public enum RestoreOutcome: Sendable, Equatable {
    /// Zero: there was nothing to restore.
    case restored(count: Int)
    case cancelled
    case failed(message: String)
}

extension FetchOutcome {
    /// That it failed, in the error's words.
    public init(_ error: any Error) { self = .failed(message: error.localizedDescription) }
}

extension PurchaseOutcome {
    /// What StoreKit's error means to the user: a cancel, or a failure in the error's words.
    public init(_ error: any Error) {
        self = SKError.isCancel(error) ? .cancelled : .failed(message: error.localizedDescription)
    }

    /// What a transaction means to the user who waits for it; nil while it is being purchased. One that comes as restored
    /// is of something owned already.
    public init?(_ transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchasing: return nil
        case .deferred: self = .deferred
        case .purchased, .restored: self = .purchased
        case .failed: self = transaction.error.map { PurchaseOutcome($0) } ?? .failed(message: "The purchase failed.")
        @unknown default: return nil
        }
    }
}

extension RestoreOutcome {
    /// What StoreKit's error means to the user: a cancel, or a failure in the error's words.
    public init(_ error: any Error) {
        self = SKError.isCancel(error) ? .cancelled : .failed(message: error.localizedDescription)
    }
}

extension SKError {
    fileprivate static func isCancel(_ error: any Error) -> Bool { (error as? SKError)?.code == .paymentCancelled }
}
