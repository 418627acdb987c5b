// A client's answers to an opened shop, to a purchase and to a restore.
// Values; any thread.

internal import Foundation
public import StoreKit

/// The products or the failure that the app shows after the user opens the shop.
public enum FetchOutcome: Sendable, Equatable {
    case fetched([String])
    case failed(message: String)
}

/// The outcome of a purchase that the app shows the user.
public enum PurchaseOutcome: Sendable, Equatable {
    case purchased
    case cancelled
    /// The purchase needs approval first.
    case deferred
    case failed(message: String)
    /// The app refused the purchase before it asked the store.
    case refused(reason: String)
}

/// The outcome of a restore that the app shows the user.
public enum RestoreOutcome: Sendable, Equatable {
    /// How many purchases were restored; 0 if there was nothing to restore.
    case restored(count: Int)
    case cancelled
    case failed(message: String)
}

extension FetchOutcome {
    /// A failure with the error's message.
    public init(_ error: any Error) { self = .failed(message: error.localizedDescription) }
}

extension PurchaseOutcome {
    /// A cancel if `error` is StoreKit's cancel, else a failure with the error's message.
    public init(_ error: any Error) {
        self = SKError.isCancel(error) ? .cancelled : .failed(message: error.localizedDescription)
    }

    /// The outcome of a purchase with StoreKit 2; a purchase that is not verified is a failure.
    public init(_ result: Product.PurchaseResult) {
        switch result {
        case .success(.verified): self = .purchased
        case .success(.unverified(_, let error)): self = .failed(message: error.localizedDescription)
        case .userCancelled: self = .cancelled
        case .pending: self = .deferred
        @unknown default: self = .failed(message: "StoreKit answered in a way that is not known here.")
        }
    }

    /// The outcome of a transaction for the user who waits for it; nil while it is being purchased.
    /// A restored transaction counts as purchased: the user already owned the product.
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
    /// A cancel if `error` is StoreKit's cancel, else a failure with the error's message.
    public init(_ error: any Error) {
        self = SKError.isCancel(error) ? .cancelled : .failed(message: error.localizedDescription)
    }
}

extension SKError {
    /// Whether it is the cancel of either API.
    fileprivate static func isCancel(_ error: any Error) -> Bool {
        if case StoreKitError.userCancelled = error { return true }
        return (error as? SKError)?.code == .paymentCancelled
    }
}
