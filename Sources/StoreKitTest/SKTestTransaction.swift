// A transaction as the test environment lists it.
// Constants; any thread.

public import Foundation
import Simulation
public import StoreKit

/// A transaction of the test environment, as it was when the session listed it.
open class SKTestTransaction: NSObject, @unchecked Sendable {  // Guard: constants.
    private let value: TestTransaction
    private let calendar: TimelineCalendar

    init(_ value: TestTransaction, _ calendar: TimelineCalendar) {
        self.value = value
        self.calendar = calendar
        super.init()
    }

    /// The identifier; in decimal it is the `transactionIdentifier` on the payment queue. The first one is 0.
    open var identifier: UInt { UInt(value.id.number) }
    /// The first transaction of a subscription, or of a product bought again or restored; otherwise its own identifier.
    open var originalTransactionIdentifier: UInt { UInt(value.originalID.number) }
    /// The product that was bought.
    open var productIdentifier: String { value.productIdentifier }

    /// The state of the transaction; a declined request stays deferred (R37).
    open var state: SKPaymentTransactionState {
        switch value.state {
        case .purchased: return .purchased
        case .failed: return .failed
        case .restored: return .restored
        case .deferred: return .deferred
        }
    }

    /// When the transaction was purchased, restored or tried.
    open var purchaseDate: Date { calendar.date(of: value.purchasedAt) }
    /// When the period ends; nil unless the product is an auto-renewable subscription.
    open var expirationDate: Date? { value.expiresAt.map { calendar.date(of: $0) } }
    /// When the transaction was refunded; nil if it was not.
    open var cancelDate: Date? { value.cancelledAt.map { calendar.date(of: $0) } }

    /// Whether the subscription renews at the end of its period.
    open var autoRenewingEnabled: Bool { value.renews }
    /// Whether an interrupted purchase or a failed renewal is still unresolved (R40, R48).
    open var hasPurchaseIssue: Bool { value.hasIssue }
    /// Whether the transaction waits for an approval (R35).
    open var pendingAskToBuyConfirmation: Bool { value.awaitsApproval }
    /// Whether the subscriber has yet to agree to a higher price (R52).
    open var isPendingPriceIncreaseConsent: Bool { value.awaitsPriceConsent }
}
