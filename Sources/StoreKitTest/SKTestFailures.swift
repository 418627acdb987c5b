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

    // The session stores and returns the following failures. The original API has no call on which they could act.

    /// A failure of verifying transactions. Has no effect.
    public enum Verification: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case verification(VerificationResult<Transaction>.VerificationError)
    }

    /// A failure of asking for a subscription's status. Has no effect.
    public enum SubscriptionStatus: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of asking for the transaction of the app itself. Has no effect.
    public enum AppTransaction: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of the sheet that manages subscriptions. Has no effect.
    public enum ManageSubscriptions: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// A failure of asking for a refund in the app. Has no effect.
    public enum RefundRequest: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case refundRequest(Transaction.RefundRequestError)
    }
}

// MARK: - In the form of the original API

extension SKTestFailures.LoadProducts {
    var storeFailure: StoreFailure {
        switch self {
        case .generic(let error): return error.storeFailure
        }
    }
}

extension SKTestFailures.AppStoreSync {
    var storeFailure: StoreFailure {
        switch self {
        case .generic(let error): return error.storeFailure
        }
    }
}

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
