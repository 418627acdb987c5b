// StoreKit's error type and domain.
// Values; any thread.

@_exported public import CStoreKit
public import Foundation
package import Simulation

/// The domain of StoreKit's errors.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit's domain, bridged to and from `NSError`.
///
/// Network errors arrive as `NSError` of `NSURLErrorDomain` instead (R16), so `as? SKError` may be nil.
/// `as NSError`, `as? NSError` and `catch SKError.paymentCancelled` work as on Apple's systems.
public struct SKError: _BridgedStoreKitError {
    public typealias Code = SKErrorCode

    public let _nsError: NSError

    /// Wraps an error of any domain, as Apple's `SKError` does.
    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { SKErrorDomain }

    /// The error's code. A code that StoreKit does not define reads as an unknown enum case with that raw value.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }

    public static var unknown: Code { .unknown }
    public static var clientInvalid: Code { .clientInvalid }
    public static var paymentCancelled: Code { .paymentCancelled }
    public static var paymentInvalid: Code { .paymentInvalid }
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    public static var invalidSignature: Code { .invalidSignature }
    public static var missingOfferParams: Code { .missingOfferParams }
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    public static var overlayCancelled: Code { .overlayCancelled }
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    public static var overlayTimeout: Code { .overlayTimeout }
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    public static var paymentMethodBindingConfigurationRequired: Code { .paymentMethodBindingConfigurationRequired }
}

extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    public typealias _ErrorType = SKError
}

extension StoreFailure {
    /// The error of a failed transaction; it may be missing (R14).
    var transactionError: (any Error)? { self == .noError ? nil : error }

    /// The error that client code receives: an `SKError`, or an `NSError` of the URL loading system (R16).
    package var error: any Error {
        switch self {
        case .store(let code):
            return storeKitError(code.rawValue, code.localizedDescription)
        case .alreadySubscribed:
            return storeKitError(
                StoreErrorCode.unknown.rawValue, "You are already subscribed to this.",
                cause: NSError(domain: "ASDServerErrorDomain", code: Self.alreadySubscribedCode))
        case .interrupted:
            return storeKitError(
                StoreErrorCode.unknown.rawValue, "Your account needs attention before you can buy.",
                cause: NSError(domain: "ASDServerErrorDomain", code: Self.interruptedCode))
        case .undocumentedCancel:
            return storeKitError(
                Self.undocumentedCancelCode, "The purchase was cancelled.",
                cause: NSError(domain: "AMSErrorDomain", code: Self.accountServicesCancelledCode))
        case .tooManyRefreshes:
            return storeKitError(
                StoreErrorCode.unknown.rawValue, "The receipt was refreshed a moment ago.",
                cause: NSError(domain: "ASDErrorDomain", code: Self.tooManyRefreshesCode))
        case .noError:
            return storeKitError(StoreErrorCode.unknown.rawValue, StoreErrorCode.unknown.localizedDescription)
        case .network(let code):
            return NSError(
                domain: NSURLErrorDomain, code: code,
                userInfo: [NSLocalizedDescriptionKey: Self.networkDescription(code)])
        }
    }

    private static let accountServicesCancelledCode = 6

    private func storeKitError(_ code: Int, _ description: String, cause: NSError? = nil) -> SKError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let cause { userInfo[NSUnderlyingErrorKey] = cause }
        return SKError(_nsError: NSError(domain: SKErrorDomain, code: code, userInfo: userInfo))
    }

    private static func networkDescription(_ code: Int) -> String {
        switch code {
        case -1001: return "The request timed out."
        case -1003: return "The server could not be found."
        case -1004: return "The server could not be reached."
        case -1005: return "The connection was lost."
        case -1009: return "The device is not connected to the internet."
        case -1012: return "No account is signed in."
        case -1200: return "A secure connection could not be made."
        default: return "The network request failed."
        }
    }
}

extension StoreErrorCode {
    fileprivate var localizedDescription: String {
        switch self {
        case .paymentCancelled: return "The purchase was cancelled."
        case .paymentInvalid: return "The store does not accept this payment."
        case .paymentNotAllowed: return "Payments are not allowed on this device."
        case .storeProductNotAvailable: return "The product is not sold in this storefront."
        case .cloudServiceNetworkConnectionFailed: return "The store could not be reached."
        default: return "The store could not complete the request."
        }
    }
}
