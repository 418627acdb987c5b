// Requests to the App Store with a delegate.
// Start and cancel anywhere; delegates are called on the device's main queue, or where the scenario says (R7).

public import Foundation
import Simulation

/// Told how a request ended. Both methods may be left out.
///
/// On Linux an optional method is a requirement with a default: StoreKit does not call what only a subclass of the
/// conforming class has. Implement it in the conforming class, and `override` it in the subclass.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request completed; nothing follows (R53).
    func requestDidFinish(_ request: SKRequest)
    /// The request failed; nothing follows (R53).
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Where `SKRequest.delegate` lives: a stored property could not be redeclared with a narrower type in a subclass,
/// a protocol extension's can be shadowed.
public protocol _SKRequestDelegating: AnyObject {
    var _requestDelegate: (any SKRequestDelegate)? { get set }
}

extension _SKRequestDelegating {
    /// Weak: the request does not keep its delegate (R53).
    public var delegate: (any SKRequestDelegate)? {
        get { _requestDelegate }
        set { _requestDelegate = newValue }
    }
}

/// A request to the App Store.
///
/// An unretained one is kept until it has answered, or freed and never answers, as the R53 knob says.
open class SKRequest: NSObject, _SKRequestDelegating {
    public weak var _requestDelegate: (any SKRequestDelegate)?

    /// Remembered from creation, so that the answer finds the right app wherever the client calls from.
    let connection: Connection
    var isStarted = false
    var isCancelled = false

    public override init() {
        connection = .current(for: "SKRequest()")
        super.init()
    }

    /// Sends the request; a second call does nothing (R53).
    open func start() {}

    /// Forgets the request: no callback follows (R53).
    open func cancel() { isCancelled = true }

    /// Ends the request well, on the device's lane and inside its process.
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

/// Told of the products found.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// Called immediately before `requestDidFinish` (R53).
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// Asks the App Store about products.
open class SKProductsRequest: SKRequest {
    private let identifiers: Set<String>

    /// A request for nothing.
    public override init() {
        identifiers = []
        super.init()
    }

    /// - Parameter productIdentifiers: what to ask about; what the store does not know comes back as invalid (R54).
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
        super.init()
    }

    /// Weak, and narrower than `SKRequest.delegate`; the two are one, whichever is set.
    open var delegate: (any SKProductsRequestDelegate)? {
        get { _requestDelegate as? any SKProductsRequestDelegate }
        set { _requestDelegate = newValue }
    }

    /// Asks the store; a second call does nothing (R53).
    open override func start() {
        // Sorted, because the order of a set differs from launch to launch.
        let wanted = identifiers.sorted()
        if connection.isOnLane { return start(wanted, on: connection) }
        if connection.freesUnheldRequests {
            connection.hop { [weak self] in self?.start(wanted, on: $0) }
        } else {
            connection.hop { self.start(wanted, on: $0) }
        }
    }

    private func start(_ wanted: [String], on connection: Connection) {
        guard !isStarted else { return }
        isStarted = true
        connection.start(self, identifiers: wanted)
    }

    func succeed(_ response: SKProductsResponse) {
        guard !isCancelled else { return }
        delegate?.productsRequest(self, didReceive: response)
        finish()
    }
}
