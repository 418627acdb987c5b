// Errors of the test environment itself.
// Values; any thread.

public import Foundation
import Simulation
import StoreKit

/// The domain of the test environment's errors.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKTestErrorDomain = "SKTestErrorDomain"

/// An error of the test environment, bridged to and from `NSError` as `SKError` is.
public struct SKTestError: _BridgedStoreKitError {
    /// The reason why a session could not do what the test asked.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = SKTestError

        case serviceUnavailable = 0
        case invalidProductIdentifier
        case invalidProductType
        case invalidURL
        case fileNotFound
        case noSubscriptionFound
        case noTransactionFound
        case invalidAction
    }

    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { SKTestErrorDomain }

    /// The error's code.
    public var code: Code { Code(rawValue: _nsError.code) ?? .serviceUnavailable }

    public static var serviceUnavailable: Code { .serviceUnavailable }
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    public static var invalidProductType: Code { .invalidProductType }
    public static var invalidURL: Code { .invalidURL }
    public static var fileNotFound: Code { .fileNotFound }
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    public static var noTransactionFound: Code { .noTransactionFound }
    public static var invalidAction: Code { .invalidAction }
}

extension SKTestError {
    static func make(_ code: Code, _ description: String) -> SKTestError {
        SKTestError(
            _nsError: NSError(
                domain: SKTestErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: description]))
    }

    /// Runs `body` and throws the store's reasons as errors that a test can catch.
    static func translating<Value>(_ body: () throws(TestSessionFailure) -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .unknownProduct: throw make(.invalidProductIdentifier, "There is no such product.")
            case .wrongProductType:
                throw make(.invalidProductType, "The product is not an auto-renewable subscription.")
            case .noSubscription: throw make(.noSubscriptionFound, "There is no such active subscription.")
            case .noTransaction: throw make(.noTransactionFound, "There is no such transaction.")
            case .invalidAction: throw make(.invalidAction, "The transaction's state does not allow this action.")
            case .refused(let failure): throw failure.error
            }
        }
    }
}
