// A transaction as the test environment lists it.
// Constants; any thread.

public import Foundation
import Simulation
public import StoreKit

/// A transaction of the test environment, as it was when the session was asked for it.
open class SKTestTransaction: NSObject, @unchecked Sendable {  // Guard: constants.
    private let value: TestTransaction
    private let calendar: TimelineCalendar

    init(_ value: TestTransaction, _ calendar: TimelineCalendar) {
        self.value = value
        self.calendar = calendar
        super.init()
    }

    /// In decimal it is the `transactionIdentifier` on the payment queue. The first is 0.
    open var identifier: Int { Int(value.id.number) }
    /// The first of the subscription, or what was bought again or restored; else the transaction's own.
    open var originalTransactionIdentifier: Int { Int(value.originalID.number) }
    /// What was bought.
    open var productIdentifier: String { value.productIdentifier }

    /// Where it stands; a declined request stays deferred (R37).
    open var state: SKPaymentTransactionState {
        switch value.state {
        case .purchased: return .purchased
        case .failed: return .failed
        case .restored: return .restored
        case .deferred: return .deferred
        }
    }

    /// When it was purchased, restored or tried.
    open var purchaseDate: Date { calendar.date(of: value.purchasedAt) }
    /// When the period ends; nil unless it is of an auto-renewable subscription.
    open var expirationDate: Date? { value.expiresAt.map { calendar.date(of: $0) } }
    /// When it was refunded.
    open var cancelDate: Date? { value.cancelledAt.map { calendar.date(of: $0) } }

    /// Whether the subscription renews at the end of its period.
    open var autoRenewingEnabled: Bool { value.renews }
    /// An interrupted purchase, or a subscription whose renewal could not be paid, that has not been resolved
    /// (R40, R48).
    open var hasPurchaseIssue: Bool { value.hasIssue }
    /// Waits for an approval (R35).
    open var pendingAskToBuyConfirmation: Bool { value.awaitsApproval }
    /// The subscriber has to agree to a higher price (R52).
    open var isPendingPriceIncreaseConsent: Bool { value.awaitsPriceConsent }
}
