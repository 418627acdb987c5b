// The error that most simulated failures carry. On Apple's systems it belongs to StoreKit 2.
// Values; any thread.

public import Foundation
import Simulation

/// The reason why a StoreKit call failed.
public enum StoreKitError: Error, Sendable {
    case unknown
    case userCancelled
    case networkError(URLError)
    case systemError(any Error)
    case notAvailableInStorefront
    case notEntitled
    case unsupported
}

extension StoreKitError: Equatable {
    /// Compares two errors by their kind.
    /// System errors are equal if domain and code are equal, network errors if their codes are equal.
    public static func == (left: StoreKitError, right: StoreKitError) -> Bool {
        switch (left, right) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.notEntitled, .notEntitled),
            (.notAvailableInStorefront, .notAvailableInStorefront), (.unsupported, .unsupported):
            return true
        case (.networkError(let left), .networkError(let right)):
            return left.code == right.code
        case (.systemError(let left), .systemError(let right)):
            let (left, right) = (left as NSError, right as NSError)
            return left.domain == right.domain && left.code == right.code
        default:
            return false
        }
    }
}

extension StoreKitError {
    /// The error in the form of the original API.
    var storeFailure: StoreFailure {
        switch self {
        case .unknown, .systemError: return .store(.unknown)
        case .userCancelled: return .store(.paymentCancelled)
        case .networkError(let error): return .network(code: error.code.rawValue)
        case .notAvailableInStorefront: return .store(.storeProductNotAvailable)
        case .notEntitled: return .store(.clientInvalid)
        case .unsupported: return .store(.unsupportedPlatform)
        }
    }
}
