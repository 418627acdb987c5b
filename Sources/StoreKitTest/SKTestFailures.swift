// What can be made to fail with what.
// Values; any thread.

import Simulation

/// A way in which an API can be made to fail.
public protocol SKTestFailure: Equatable, Sendable {}

/// A failure that can be of any kind: what a configuration file switches on without saying more.
protocol GenericTestFailure: SKTestFailure {
    static func generic(_ error: StoreKitError) -> Self
}

/// The failures of each API. The errors nested here belong to StoreKit 2 on Apple's systems.
public enum SKTestFailures {
    /// Of product requests.
    public enum LoadProducts: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// Of payments.
    public enum Purchase: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case purchase(PurchaseError)
    }

    /// Of restoring purchases and refreshing the receipt.
    public enum AppStoreSync: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// Of the sheet for offer codes.
    public enum OfferCodeRedeem: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    // What follows is stored and told, and has nothing in the original API to act on.

    /// Of verifying transactions.
    public enum Verification: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case verification(VerificationError)
    }

    /// Of asking for a subscription's status.
    public enum SubscriptionStatus: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// Of asking for the transaction of the app itself.
    public enum AppTransaction: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// Of the sheet that manages subscriptions.
    public enum ManageSubscriptions: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
    }

    /// Of asking for a refund in the app.
    public enum RefundRequest: SKTestFailure, GenericTestFailure {
        case generic(StoreKitError)
        case refundRequest(RefundRequestError)
    }

    /// On Apple's systems `Product.PurchaseError`.
    public enum PurchaseError: Error, Sendable {
        case invalidQuantity
        case productUnavailable
        case purchaseNotAllowed
        case ineligibleForOffer
        case invalidOfferIdentifier
        case invalidOfferPrice
        case invalidOfferSignature
        case missingOfferParameters
    }

    /// On Apple's systems `VerificationResult.VerificationError`.
    public enum VerificationError: Error, Sendable {
        case revokedCertificate
        case invalidCertificateChain
        case invalidDeviceVerification
        case invalidEncoding
        case invalidSignature
        case missingRequiredProperties
    }

    /// On Apple's systems `Transaction.RefundRequestError`.
    public enum RefundRequestError: Error, Sendable {
        case duplicateRequest
        case failed
    }
}

// MARK: - As the original API tells them

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
