// Fetches the app's receipt anew.
// Start and cancel anywhere; delegates are called on the device's main queue, or where the scenario says (R7).

import Foundation

/// Receipts that have run out. Only for tests on Apple's systems, as all three.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsExpired = "expired"
/// Receipts that have been revoked.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsRevoked = "revoked"
/// Receipts of a volume purchase.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Ends an app whose license has run out. Simulated licenses do not, so it returns.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SKTerminateForInvalidReceipt() {}

/// Asks the App Store for the receipt; the user is asked for the password (R56).
///
/// Not to be used again after a failure.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// A request for the receipt as it is.
    public override init() {
        properties = nil
        super.init()
    }

    /// - Parameter receiptProperties: what the receipt is to be like, under the three keys. For tests.
    public init(receiptProperties: [String: Any]?) {
        properties = receiptProperties
        super.init()
    }

    /// What the receipt is to be like.
    open var receiptProperties: [String: Any]? { properties }

    /// Weak (R53). The same as `SKRequest.delegate`, declared here to be overridden.
    open var delegate: (any SKRequestDelegate)? {
        get { _requestDelegate }
        set { _requestDelegate = newValue }
    }

    /// Asks the store; a second call does nothing (R53).
    open override func start() {
        if connection.isOnLane { return start(on: connection) }
        if connection.freesUnheldRequests {
            connection.hop { [weak self] in self?.start(on: $0) }
        } else {
            connection.hop { self.start(on: $0) }
        }
    }

    private func start(on connection: Connection) {
        guard !isStarted else { return }
        isStarted = true
        connection.refreshReceipt(for: self)
    }
}
