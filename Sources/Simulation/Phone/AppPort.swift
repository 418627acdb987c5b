// The port between a phone and the app that runs on it, whatever hosts the app's code.

/// What an app does that outlives its process.
package enum Effect: Sendable, CaseIterable {
    case storeKitCall
    case finish
    case storageWrite
    case answer
    case httpRequest
}

/// An effect of a launch that did not come about, as the app crashed just before it.
package struct MissedEffect: Sendable, Equatable {
    /// Among the effects of its launch, counted from 1.
    package let number: Int32
    package let effect: Effect

    package init(number: Int32, effect: Effect) { (self.number, self.effect) = (number, effect) }
}

/// What raises an exception on Apple's systems, and with that ends the app.
package enum ClientException: Int, Sendable, CaseIterable {
    /// R11.
    case emptyProductIdentifier = 1
    /// R11.
    case quantityBelowOne
    /// R18.
    case finishedPurchasing
    /// The client found a state it does not allow for, and said so.
    case failedAssertion

    /// What the exception says, as a sentence of it.
    package var reason: String {
        switch self {
        case .emptyProductIdentifier: "a payment has no product identifier"
        case .quantityBelowOne: "the quantity of a payment is below one"
        case .finishedPurchasing: "a transaction was finished that is still being purchased"
        case .failedAssertion: "an assertion does not hold"
        }
    }
}

/// One launch of an app, as its device sees it. On the device's lane, except what says otherwise.
package protocol AppPort: AnyObject, Sendable {
    var device: Device { get }
    /// The launch, counted from 1. Any thread.
    var number: Int { get }
    /// False once it has ended. Any thread.
    var isAlive: Bool { get }
    /// Effects that took hold or were about to.
    var effectCount: Int { get }
    /// The purchase APIs that listen to the queue, as far as the daemon knows.
    var listening: PurchaseAPIs { get set }
    /// How much work the app had under way when its termination was announced to it; nil if it was not.
    var leftUndone: Int? { get }

    /// The fence. True if the effect may take hold; a crash that is due here happens first.
    func passes(_ effect: Effect) -> Bool
    /// Hands an event of the daemon's to the receivers of these APIs. A suspended app gets it when it comes back.
    func receive(_ event: DaemonEvent, for apis: PurchaseAPIs)
    /// Runs client code with what came from the web. A suspended app gets it when it comes back.
    func receiveAnswer(_ body: @escaping () -> Void)
    /// Runs client code beside the main queue. On a thread of the callback queue.
    func enterInBackground(_ call: ClientCall, _ body: () -> Void)

    func enterBackground()
    /// Hands over what was held back. Returns the transactions among it, by their handles.
    func enterForeground() -> Set<Int>
    /// Nothing that it does afterwards has an effect.
    func end()
    /// Lets go of what lived with it, which can be asked for its goods until then.
    func letGo()

    /// Something became durable.
    func noticeDurableWrite()
    /// Goods that are waited for may have come without a write.
    func lookForGoods()
    /// Notes the goods that the app holds before it receives anything.
    func noteGoodsKept()
    func forgetUses()
    /// Client code waits, and nothing is under way that could end that.
    func checkWaits()
    /// It asks a server that does not exist.
    func remarkMissingServer(_ url: String, isSentSignedData: Bool)
}

/// The purchase APIs that an app may speak, one beside the other.
package struct PurchaseAPIs: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `SKPaymentQueue` and its observers.
    package static let paymentQueue = PurchaseAPIs(rawValue: 1)
    /// `Product`, `Transaction` and the rest of StoreKit 2.
    package static let storeKit2 = PurchaseAPIs(rawValue: 2)
}

/// The receiving end of one purchase API in an app.
package protocol Receiver: AnyObject {
    /// Called on the device's lane, while the app is alive.
    func receive(_ event: DaemonEvent)
    /// The app is over: release whatever retains it.
    func processEnded()
    /// Answers the tasks that wait with nothing, and what they ask for then in the same way. In code of the app, after
    /// its end.
    func endWaitingTasks()
}

extension Receiver {
    package func endWaitingTasks() {}
}
