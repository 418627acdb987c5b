// The base of the error types of StoreKit and StoreKitTest: each wraps an `NSError` of its own domain.
// Values; any thread.

public import Foundation

/// An error type that bridges to and from `NSError`.
/// `as NSError`, `as?` from an `NSError` and `catch SKError.paymentCancelled` work as on Apple's systems.
public protocol _BridgedStoreKitError: _BridgedStoredNSError, _ObjectiveCBridgeable {}

extension _BridgedStoreKitError {
    public static var errorDomain: String { _nsErrorDomain }

    // The inherited hashing asks NSError for its hash, which recurses without end on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    public static func == (left: Self, right: Self) -> Bool {
        left._nsError.domain == right._nsError.domain && left._nsError.code == right._nsError.code
    }

    // MARK: From and to NSError

    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(_nsError: source)
    }

    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        guard source.domain == _nsErrorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: _nsErrorDomain, code: 0))
    }
}
