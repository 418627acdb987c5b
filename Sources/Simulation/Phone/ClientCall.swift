// What the harness calls client code for.
// Values; any thread.

/// A kind of call into client code, as the watch and the audit tell it.
package enum ClientCall: UInt8, Sendable, CaseIterable {
    case launch = 1
    case willTerminate
    case didEnterBackground
    case willEnterForeground
    case fetchProducts
    case purchase
    case restore
    case use
    /// How many goods are held.
    case holdings
    /// A callback of a transaction observer.
    case observer
    /// A callback of a request's delegate.
    case requestDelegate
    /// A question to the queue's delegate.
    case queueDelegate
    /// A promoted product is wanted, or the promotions are known.
    case promotion
    /// What the client itself handed to the main queue.
    case mainQueueBlock
    /// The same of a queue of its own.
    case ownQueueBlock
    /// The answer of a server on the web.
    case webAnswer
    /// What lived with the process is freed.
    case letGo
    /// A task that waited for StoreKit 2 goes on.
    case resumption
}

/// What client code waits for that does not come back.
package enum ClientWait: UInt8, Sendable, CaseIterable {
    /// Perhaps for nothing: it may go round in circles.
    case unknown
    case semaphore
    case group
    /// To get a turn on a queue.
    case queue
    case condition
    /// For time to pass, which ends by itself.
    case time
}

/// A call into client code that has not come back.
package struct LostCall: Sendable {
    let app: any AppPort
    package let call: ClientCall

    init(app: any AppPort, call: ClientCall) { (self.app, self.call) = (app, call) }
}
