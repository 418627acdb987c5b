// What the library's users see of it: products, results, errors, and the delegate that delivers.
// Values, but for the delegate, which is called on the device's main queue.

import ClientKit
import Foundation

enum IAPProductType: Sendable {
    case consumable
    case nonConsumable
    case autoRenewableSubscription
    case nonRenewingSubscription
}

/// A product as the app declares it.
struct IAPProduct: Sendable {
    let productIdentifier: String
    let productType: IAPProductType
}

/// Told of purchases that the validator has confirmed.
protocol IAPPurchaseDelegate: AnyObject {
    /// Deliver the product, then call `InAppPurchase.finishTransactions(for:)`. Which transaction it is, or of how
    /// many, is not said.
    func productPurchased(productIdentifier: String)
}

enum IAPError: Error, Sendable, Equatable, LocalizedError {
    case libraryNotInitialized
    case productNotFound
    case cannotMakePurchase
    case alreadyPurchasing
    case refreshProductsFailed(String)
    case refreshReceiptFailed(String)
    case validateReceiptFailed(String)
    /// StoreKit's own.
    case purchaseFailed(String)

    var errorDescription: String? {
        switch self {
        case .libraryNotInitialized: return "The library has not been initialized."
        case .productNotFound: return "The product was not found."
        case .cannotMakePurchase: return "This device is not allowed to make payments."
        case .alreadyPurchasing: return "A purchase is in progress."
        case .refreshProductsFailed(let reason): return "The products could not be fetched. \(reason)"
        case .refreshReceiptFailed(let reason): return "The receipt could not be refreshed. \(reason)"
        case .validateReceiptFailed(let reason): return "The receipt could not be validated. \(reason)"
        case .purchaseFailed(let reason): return reason
        }
    }
}

struct IAPPurchaseResult: Sendable, Equatable {
    enum State: Sendable { case purchased, failed, cancelled, deferred }

    let state: State
    var iapError: IAPError?
}

struct IAPRefreshResult: Sendable, Equatable {
    enum State: Sendable { case succeeded, failed, skipped }

    let state: State
    var iapError: IAPError?
}

typealias IAPPurchaseCallback = (IAPPurchaseResult) -> Void
typealias IAPRefreshCallback = (IAPRefreshResult) -> Void
