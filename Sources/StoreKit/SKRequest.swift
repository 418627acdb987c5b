// Requests to the App Store with a delegate.
// Start and cancel on any thread. Delegates are called on the device's main queue, or where the scenario says (R7).

public import Foundation
import Simulation

/// Learns how a request ended. Both methods are optional.
///
/// On Linux an optional method is a protocol requirement with a default. StoreKit does not call a method that only a
/// subclass of the conforming class has. Implement it in the conforming class, and `override` it in the subclass.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request completed. StoreKit calls nothing afterwards (R53).
    func requestDidFinish(_ request: SKRequest)
    /// The request failed. StoreKit calls nothing afterwards (R53).
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// The base that declares `SKRequest.delegate`.
/// A subclass could not redeclare a stored property with a narrower type; it can shadow a protocol extension's.
public protocol _SKRequestDelegating: AnyObject {
    var _requestDelegate: (any SKRequestDelegate)? { get set }
}

extension _SKRequestDelegating {
    /// The delegate, held weakly: the request does not keep it alive (R53).
    public var delegate: (any SKRequestDelegate)? {
        get { _requestDelegate }
        set { _requestDelegate = newValue }
    }
}

/// A request to the App Store.
///
/// If the client does not retain a request, the R53 knob decides:
/// StoreKit keeps it until it has answered, or frees it and never answers.
open class SKRequest: NSObject, _SKRequestDelegating {
    public weak var _requestDelegate: (any SKRequestDelegate)?

    /// Remembered from creation, so that the answer finds the right app on whatever thread the client calls.
    let connection: Connection
    var isStarted = false
    var isCancelled = false

    public override init() {
        connection = .current(for: "SKRequest()")
        super.init()
    }

    /// Sends the request. A second call does nothing (R53).
    open func start() {}

    /// Cancels the request: StoreKit makes no further callback (R53).
    open func cancel() { isCancelled = true }

    /// Ends the request successfully, on the device's lane and inside its process.
    func finish() {
        // The delegate may have cancelled, or its process may have died, in the callback before this one.
        guard !isCancelled, connection.process.isAlive, let delegate = _requestDelegate else { return }
        connection.callsOptional(.requestFinished, of: delegate)
        delegate.requestDidFinish(self)
    }

    /// Ends the request with an error, on the device's lane and inside its process.
    func fail(_ error: any Error) {
        guard !isCancelled, let delegate = _requestDelegate else { return }
        connection.callsOptional(.requestFailed, of: delegate)
        delegate.request(self, didFailWithError: error)
    }
}

/// Receives the products that the store found.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store answered. Called immediately before `requestDidFinish` (R53).
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// Asks the App Store about products.
open class SKProductsRequest: SKRequest {
    private let identifiers: Set<String>

    /// A request for no products.
    public override init() {
        identifiers = []
        super.init()
    }

    /// - Parameter productIdentifiers: the products to ask for. The response lists unknown identifiers as invalid
    ///   (R54).
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
        super.init()
    }

    /// The delegate, held weakly. It is `SKRequest.delegate` under a narrower type: setting either sets both.
    open var delegate: (any SKProductsRequestDelegate)? {
        get { _requestDelegate as? any SKProductsRequestDelegate }
        set { _requestDelegate = newValue }
    }

    /// Sends the request to the store. A second call does nothing (R53).
    open override func start() {
        // Sorted, because the order of a set differs from launch to launch.
        let wanted = identifiers.sorted()
        if connection.isOnLane { return start(wanted, on: connection) }
        let asked = TaskRequest.number
        if connection.freesUnheldRequests {
            connection.hop { [weak self] in self?.start(wanted, on: $0, asked) }
        } else {
            connection.hop { self.start(wanted, on: $0, asked) }
        }
    }

    private func start(_ wanted: [String], on connection: Connection, _ asked: Int32? = nil) {
        guard !isStarted else { return }
        isStarted = true
        connection.start(self, identifiers: wanted, asked: asked)
    }

    func succeed(_ response: SKProductsResponse) {
        guard !isCancelled else { return }
        delegate?.productsRequest(self, didReceive: response)
        finish()
    }
}
