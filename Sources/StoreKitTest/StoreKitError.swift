// The error that most simulated failures carry. On Apple's systems it belongs to StoreKit 2.
// Values; any thread.

public import Foundation
import Simulation

/// Why a call of StoreKit failed.
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
    /// Errors of the network and of the system are equal when domain and code are.
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
    /// As the original API tells it.
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
