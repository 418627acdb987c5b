// Which failures are the same, and what they are in the form of the original API.
// Values; any thread.

import Foundation
import Simulation
import StoreKit

extension StoreKitError {
    /// Whether both are of one kind: system errors by domain and code, network errors by code.
    fileprivate func isLike(_ other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.notEntitled, .notEntitled),
            (.notAvailableInStorefront, .notAvailableInStorefront), (.unsupported, .unsupported):
            return true
        case (.networkError(let left), .networkError(let right)): return left.code == right.code
        case (.systemError(let left), .systemError(let right)):
            let (left, right) = (left as NSError, right as NSError)
            return left.domain == right.domain && left.code == right.code
        default: return false
        }
    }

    /// The error in the form of the original API.
    var storeFailure: StoreFailure {
        switch self {
        case .unknown, .systemError: return .store(.unknown)
        case .userCancelled: return .store(.paymentCancelled)
        case .networkError(let error): return .network(code: error.code.rawValue)
        case .notAvailableInStorefront: return .store(.storeProductNotAvailable)
        case .notEntitled: return .store(.clientInvalid)
        case .unsupported: return .store(.unsupportedPlatform)
        @unknown default: return .store(.unknown)
        }
    }
}

extension SKTestFailures.LoadProducts {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.AppStoreSync {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.OfferCodeRedeem {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.SubscriptionStatus {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.AppTransaction {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.ManageSubscriptions {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        }
    }
}

extension SKTestFailures.Purchase {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        case (.purchase(let left), .purchase(let right)): left == right
        default: false
        }
    }
}

extension SKTestFailures.Verification {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        case (.verification(let left), .verification(let right)): left == right
        default: false
        }
    }
}

extension SKTestFailures.RefundRequest {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.generic(let left), .generic(let right)): left.isLike(right)
        case (.refundRequest(let left), .refundRequest(let right)): left == right
        default: false
        }
    }
}
