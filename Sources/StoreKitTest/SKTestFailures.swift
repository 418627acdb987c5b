// The failures that a test can choose for each API.
// Values; any thread.

import Simulation
public import StoreKit

/// A failure that a test can choose for an API.
public protocol SKTestFailure: Equatable, Sendable {}

/// A failure of any kind: a configuration file that switches one on says no more.
protocol GenericTestFailure: SKTestFailure {
    static func generic(_ error: StoreKitError) -> Self
}

/// The failures of each API.
public enum SKTestFailures {
    /// A failure of product requests.
    public enum LoadProducts: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of payments.
    public enum Purchase: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case purchase(Product.PurchaseError)
    }

    /// A failure of restores and of receipt refreshes.
    public enum AppStoreSync: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of the sheet for offer codes.
    public enum OfferCodeRedeem: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of verifying what StoreKit 2 hands over, which is `.unverified` then (S103). A generic error reads as an
    /// invalid signature.
    public enum Verification: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case verification(VerificationResult<Transaction>.VerificationError)
    }

    /// A failure of asking for a subscription's status.
    public enum SubscriptionStatus: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of asking for the transaction of the app itself.
    public enum AppTransaction: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of the sheet that manages subscriptions.
    public enum ManageSubscriptions: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of asking for a refund in the app.
    public enum RefundRequest: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case refundRequest(Transaction.RefundRequestError)
    }
}

// MARK: - As StoreKit 2 throws them

extension SKTestFailures.LoadProducts {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppStoreSync {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.SubscriptionStatus {
    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppTransaction {
    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.OfferCodeRedeem {
    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.ManageSubscriptions {
    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase {
    var error: any Error {
        switch self {
        case .generic(let error): error
        case .purchase(let error): error
        }
    }
}

extension SKTestFailures.RefundRequest {
    var error: any Error {
        switch self {
        case .generic(let error): error
        case .refundRequest(let error): error
        }
    }
}

extension SKTestFailures.Verification {
    var reason: VerificationResult<Transaction>.VerificationError {
        switch self {
        case .generic: .invalidSignature
        case .verification(let error): error
        }
    }
}

// MARK: - In the form of the original API

extension SKTestFailures.Purchase {
    var storeFailure: StoreFailure {
        switch self {
        case .generic(let error): return error.storeFailure
        case .purchase(.invalidQuantity): return .store(.paymentInvalid)
        case .purchase(.productUnavailable): return .store(.storeProductNotAvailable)
        case .purchase(.purchaseNotAllowed): return .store(.paymentNotAllowed)
        case .purchase(.ineligibleForOffer): return .store(.ineligibleForOffer)
        case .purchase(.invalidOfferIdentifier): return .store(.invalidOfferIdentifier)
        case .purchase(.invalidOfferPrice): return .store(.invalidOfferPrice)
        case .purchase(.invalidOfferSignature): return .store(.invalidSignature)
        case .purchase(.missingOfferParameters): return .store(.missingOfferParams)
        }
    }
}
