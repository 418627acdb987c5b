// Fetches the app's receipt again.
// Start and cancel on any thread. Delegates are called on the device's main queue, or where the scenario says (R7).

import Foundation

/// The key for an expired receipt. For tests on Apple's systems only, like the other two keys.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsExpired = "expired"
/// The key for a revoked receipt.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsRevoked = "revoked"
/// The key for the receipt of a volume purchase.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// On Apple's systems, ends an app whose licence has expired. Simulated licences never expire, so it only returns.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SKTerminateForInvalidReceipt() {}

/// Asks the App Store for the receipt. The store asks the user for the password (R56).
///
/// Do not start a request again after it failed.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// A request for the receipt as it is.
    public override init() {
        properties = nil
        super.init()
    }

    /// - Parameter receiptProperties: wanted properties of the receipt, under the three keys. For tests.
    public init(receiptProperties: [String: Any]?) {
        properties = receiptProperties
        super.init()
    }

    /// The wanted properties of the receipt.
    open var receiptProperties: [String: Any]? { properties }

    /// The delegate, held weakly (R53).
    /// The same as `SKRequest.delegate`; declared here so that subclasses can override it.
    open var delegate: (any SKRequestDelegate)? {
        get { _requestDelegate }
        set { _requestDelegate = newValue }
    }

    /// Sends the request to the store. A second call does nothing (R53).
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
