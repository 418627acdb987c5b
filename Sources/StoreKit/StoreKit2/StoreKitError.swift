// The errors that StoreKit 2 throws.
// Values; any thread.

public import Foundation
import Simulation

// The order of the cases is part of the interface: an `NSError` numbers them by it.
/// The reason why a StoreKit call failed (S51).
@nonexhaustive public enum StoreKitError: Error, Sendable {
    /// The reason is not known.
    case unknown
    /// The user cancelled the call's own sheet.
    case userCancelled
    /// The App Store could not be reached.
    case networkError(URLError)
    /// Another part of the system failed.
    case systemError(any Error)
    /// The product is not sold where the user shops.
    case notAvailableInStorefront
    /// The app may not use the call.
    case notEntitled
    /// The system does not support the call.
    case unsupported
}

extension StoreKitError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .unknown: "The store could not complete the request."
        case .userCancelled: "The request was cancelled."
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The product is not sold in this storefront."
        case .notEntitled: "The app may not use this."
        case .unsupported: "This is not supported."
        }
    }
}

extension Product {
    /// The reason why the store refuses a purchase (S51).
    @nonexhaustive public enum PurchaseError: Error, Sendable, Equatable, Hashable {
        /// The product can not be bought so many times at once (S54).
        case invalidQuantity
        /// The store does not sell the product.
        case productUnavailable
        /// Payments are not allowed on this device.
        case purchaseNotAllowed
        /// The user may not use the offer.
        case ineligibleForOffer
        /// The product has no offer with that identifier.
        case invalidOfferIdentifier
        /// The offer's price is not below the product's.
        case invalidOfferPrice
        /// The offer's signature does not hold.
        case invalidOfferSignature
        /// The offer lacks a parameter.
        case missingOfferParameters
    }
}

extension Product.PurchaseError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "The quantity is not allowed."
        case .productUnavailable: "Item Unavailable"
        case .purchaseNotAllowed: "Payments are not allowed on this device."
        case .ineligibleForOffer: "The user may not use the offer."
        case .invalidOfferIdentifier: "The product has no such offer."
        case .invalidOfferPrice: "The offer's price is not valid."
        case .invalidOfferSignature: "The offer's signature is not valid."
        case .missingOfferParameters: "The offer lacks a parameter."
        }
    }
}

extension StoreFailure {
    /// Whether the user cancelled.
    var isCancel: Bool { self == .store(.paymentCancelled) || self == .undocumentedCancel }

    /// The error as StoreKit 2 throws it (S51).
    var storeKit2Error: any Error {
        switch self {
        case .store(let code):
            switch code {
            case .paymentCancelled: StoreKitError.userCancelled
            case .paymentInvalid: Product.PurchaseError.productUnavailable
            case .paymentNotAllowed: Product.PurchaseError.purchaseNotAllowed
            case .storeProductNotAvailable: StoreKitError.notAvailableInStorefront
            case .ineligibleForOffer: Product.PurchaseError.ineligibleForOffer
            case .invalidOfferIdentifier: Product.PurchaseError.invalidOfferIdentifier
            case .invalidOfferPrice: Product.PurchaseError.invalidOfferPrice
            case .invalidSignature: Product.PurchaseError.invalidOfferSignature
            case .missingOfferParams: Product.PurchaseError.missingOfferParameters
            case .clientInvalid: StoreKitError.notEntitled
            case .unsupportedPlatform: StoreKitError.unsupported
            case .cloudServiceNetworkConnectionFailed: StoreKitError.networkError(URLError(.cannotConnectToHost))
            default: StoreKitError.unknown
            }
        case .network(let code): StoreKitError.networkError(URLError(URLError.Code(rawValue: code) ?? .unknown))
        case .undocumentedCancel: StoreKitError.userCancelled
        case .alreadySubscribed, .interrupted, .noError, .tooManyRefreshes: StoreKitError.unknown
        }
    }
}
