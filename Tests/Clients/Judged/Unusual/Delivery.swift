// What StoreKit told of a transaction, an order that somebody waits for, and the way to the main queue.
// `Delivery` is a value made on StoreKit's thread; `Order` belongs to the main queue; `Hops` may be used on any thread.

import Foundation
import Stampede
import StoreKit

/// A transaction as it was when StoreKit told of it: the object itself may move on before the main queue comes to it.
public struct Delivery {
    public let transaction: SKPaymentTransaction
    public let state: SKPaymentTransactionState
    public let payment: SKPayment
    public let identifier: String?
    public let originalIdentifier: String?
    public let date: Date?
    public let error: (any Error)?

    public init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        payment = transaction.payment
        identifier = transaction.transactionIdentifier
        originalIdentifier = transaction.original?.transactionIdentifier
        date = transaction.transactionDate
        error = transaction.error
    }

    public var product: String { payment.productIdentifier }
    /// The purchase that an entitlement goes back to, as the receipt lists it.
    public var source: String {
        if state != .restored { return identifier ?? "" }
        return originalIdentifier ?? Self.restored + String(Int((date?.timeIntervalSince1970 ?? 0) * 1_000))
    }

    /// Begins the name of what was restored without its original; when follows, in milliseconds since 1970.
    static let restored = "restored-"

    public var failure: PurchaseOutcome {
        guard let error else { return .failed(message: "The purchase failed.") }
        if (error as? SKError)?.code == .paymentCancelled { return .cancelled }
        return .failed(message: error.localizedDescription)
    }
}

/// A purchase that somebody waits for, or that a promotion began.
public final class Order {
    public let product: String
    public let quantity: Int
    public let token = UUID().uuidString
    public var transaction: SKPaymentTransaction?
    public var began: Date?
    private var completion: ((PurchaseOutcome) -> Void)?

    public init(_ product: String, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        self.product = product
        self.quantity = quantity
        self.completion = completion
    }

    public var isAnswered: Bool { completion == nil }

    /// The first answer counts; there is no second.
    public func answer(_ outcome: PurchaseOutcome) {
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }

    public func fits(_ payment: SKPayment) -> Bool {
        product == payment.productIdentifier && quantity == payment.quantity
    }
}

/// Leads callbacks to the main queue in the order in which they came.
public final class Hops: @unchecked Sendable {
    private let main: AppMainQueue
    private let lock = NSLock()
    private var underWay = 0

    init(_ main: AppMainQueue) { self.main = main }

    func run(_ body: @escaping () -> Void) {
        let isFree = lock.withLock {
            let isFree = underWay == 0 && main.isCurrent
            if !isFree { underWay += 1 }
            return isFree
        }
        if isFree { return body() }
        main.async { [self] in
            lock.withLock { underWay -= 1 }
            body()
        }
    }
}
