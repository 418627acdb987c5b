// What the App Store knows of one account: who was charged for what, and which transactions came of it.
// Values, appended to by the store on its lane; the audit reads a copy.

/// An App Store transaction identifier. Unique in a run, increasing within a cell.
package struct TransactionID: Sendable, Hashable, Comparable {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    // Compared for every event of a device, in other modules too.
    @inlinable package static func == (left: TransactionID, right: TransactionID) -> Bool {
        left.number == right.number
    }

    /// The number of a transaction that no store has made (S73): above all that stores give.
    package static func forged(_ number: Int) -> TransactionID { TransactionID(number: firstForged + Int64(number)) }
    package var isForged: Bool { number >= Self.firstForged }
    private static let firstForged: Int64 = 9_000_000_000_000_000

    package static func < (left: TransactionID, right: TransactionID) -> Bool { left.number < right.number }

    /// As StoreKit shows it. Fifteen digits: the longest text that needs no allocation.
    package var text: String { String(number) }
}

/// Money taken. Kept apart from transactions, so that each can be checked against the other.
package struct Charge: Sendable, Equatable {
    package let at: Instant
    package let transaction: TransactionID
    package let product: ProductIndex
    package let quantity: Int
}

/// A completed purchase as the store keeps it.
package struct StoreTransaction: Sendable {
    package let id: TransactionID
    /// The first purchase of what this one repeats: a free re-purchase or a restore.
    package let original: TransactionID?
    package let originalDate: Instant?
    package let product: ProductIndex
    package let quantity: Int
    package internal(set) var at: Instant
    /// How the purchase came about.
    package let origin: Origin
    /// The payment it goes back to; nil for what no payment of a device led to.
    package let payment: PaymentToken?
    package let applicationUsername: String?
    package let isCharged: Bool
    /// When the store heard that the app had finished it.
    package var finishedAt: Instant?

    package enum Origin: String, Sendable, CaseIterable {
        /// The answer to a payment, at once or once it was approved (R36).
        case payment
        case beforeRun
        /// A purchase that was interrupted, completed after its buyer had mended the account (R40): a transaction of
        /// its own beside the failed one.
        case interruption
        /// A subscription went on for another period (R46).
        case renewal
        /// Redeemed with a code outside the app (R42).
        case offerCode
        /// Bought outside the app, on the product's page in the store or by a test session (R44).
        case outside
        /// Bought by a member of the family who shares it (R50).
        case familySharing
    }

    /// Values that few purchases have, kept apart because transactions are copied all the time.
    private var particulars: Particulars?

    private struct Particular {
        var expiresAt: Instant?
        var graceBeganAt: Instant?
        var subscriptionStart: TransactionID?
        var offer: AppliedOffer?
        var revokedAt: Instant?
        var upgradedAt: Instant?
    }

    /// Never changed once it is shared.
    private final class Particulars: Sendable {
        let values: Particular

        init(_ values: Particular) { self.values = values }
    }

    private mutating func note<Value>(_ key: WritableKeyPath<Particular, Value>, _ value: Value) {
        var values = particulars?.values ?? Particular()
        values[keyPath: key] = value
        particulars = Particulars(values)
    }

    /// When the period that was paid for ends; only of subscriptions. A grace period is part of it (R48).
    package var expiresAt: Instant? {
        get { particulars?.values.expiresAt }
        set { note(\.expiresAt, newValue) }
    }
    /// When it would have ended, had no grace period begun then (R48).
    package var graceBeganAt: Instant? {
        get { particulars?.values.graceBeganAt }
        set { note(\.graceBeganAt, newValue) }
    }
    /// The first transaction of the subscription: what receipts call the original.
    package var subscriptionStart: TransactionID? {
        get { particulars?.values.subscriptionStart }
        set { note(\.subscriptionStart, newValue) }
    }
    package var offer: AppliedOffer? {
        get { particulars?.values.offer }
        set { if newValue != nil || offer != nil { note(\.offer, newValue) } }
    }
    /// Refunded, or no longer shared (R49).
    package var revokedAt: Instant? {
        get { particulars?.values.revokedAt }
        set { note(\.revokedAt, newValue) }
    }
    /// When another level of the group took its place, before its time was over (R47).
    package var upgradedAt: Instant? {
        get { particulars?.values.upgradedAt }
        set { note(\.upgradedAt, newValue) }
    }
    package var isUpgraded: Bool { upgradedAt != nil }

    package init(
        id: TransactionID, original: TransactionID?, originalDate: Instant?, product: ProductIndex, quantity: Int,
        at instant: Instant, origin: Origin, payment: PaymentToken?, applicationUsername: String?, isCharged: Bool,
        finishedAt: Instant? = nil
    ) {
        self.id = id
        self.original = original
        self.originalDate = originalDate
        self.product = product
        self.quantity = quantity
        at = instant
        self.origin = origin
        self.payment = payment
        self.applicationUsername = applicationUsername
        self.isCharged = isCharged
        self.finishedAt = finishedAt
    }

    /// When the transaction stopped entitling the user to its product, if that was by `instant`.
    package func overAt(by instant: Instant) -> Instant? {
        guard isOver(at: instant) else { return nil }
        return [revokedAt, upgradedAt, expiresAt.flatMap { $0 <= instant ? $0 : nil }].compactMap(\.self).min()
    }

    /// Whether it entitles to anything at that instant.
    package func isOver(at instant: Instant) -> Bool {
        revokedAt != nil || isUpgraded || expiresAt.map { $0 <= instant } ?? false
    }

    /// Bought and finished before the run: this app never saw it.
    package var isOfThePast: Bool { origin == .beforeRun && finishedAt ?? .never < at }

    /// When purchases were finished that the run begins with: before anything that happens in it.
    package static let finishedBeforeRun = Instant(nanoseconds: -1)
}

extension StoreTransaction: Equatable {
    package static func == (left: StoreTransaction, right: StoreTransaction) -> Bool {
        left.id == right.id && left.finishedAt == right.finishedAt && left.expiresAt == right.expiresAt
            && left.revokedAt == right.revokedAt && left.upgradedAt == right.upgradedAt && left.offer == right.offer
    }
}

/// The reduced price that a period was sold for.
package enum AppliedOffer: Sendable, Equatable {
    case introductory
    case promotional(String)
    case code(String)
    /// S79: for former subscribers.
    case winBack(String)
}

/// What was taken back from an account (R49).
package struct Revocation: Sendable, Equatable {
    package let transaction: TransactionID
    package let product: ProductIndex
    package let at: Instant
}

/// One payment of one device, as the store tells payments apart.
package struct PaymentToken: Sendable, Hashable {
    package let number: Int

    package init(number: Int) { self.number = number }

    /// Payments are numbered within each device, and the numbers of an account's devices do not meet.
    private static let perDevice = 10_000_000

    package static func first(of device: Int) -> Int { (device - 1) * perDevice + 1 }

    /// The device, counted from 1.
    package var device: Int { (number - 1) / Self.perDevice + 1 }
}

/// One payment's way through the store.
package struct PurchaseAttempt: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case undecided
        case charged(TransactionID)
        /// Owned already: a new transaction without a charge (R23).
        case repeated(TransactionID)
        /// An unfinished purchase of the same product was handed out again (R22, R24).
        case existing(TransactionID)
        case cancelled
        case refused(StoreFailure)
        /// Ask to Buy: pending approval (R35), or never answered (R36).
        case awaitsApproval
        case declined
        /// Failed until the buyer has mended the account (R40), or because it was not mended yet (R41).
        case interrupted
    }

    package let payment: PaymentToken
    package let product: ProductIndex?
    package let quantity: Int
    /// When the store had it, and when its turn came.
    package let receivedAt: Instant
    package let arrivedAt: Instant
    /// When the payment sheet appeared, if it did.
    package var sheetAt: Instant?
    package var decidedAt: Instant?
    package var outcome: Outcome = .undecided
    /// When an Ask to Buy request was answered, or the buyer mended the account.
    package var resolvedAt: Instant?
    /// The purchase that an interrupted payment led to in the end.
    package var completedBy: TransactionID?
}

/// Everything the store knows of an account, for the audit.
package struct AccountStatement: Sendable {
    package var charges: [Charge] = []
    package var transactions: [StoreTransaction] = []
    package var attempts: [PurchaseAttempt] = []
    /// What the receipt validator told the app's own server.
    package var notifications: [ValidatorNotification] = []
    package var isPaymentDisallowed = false
    /// Bought by one person under two names, on one device.
    package var isOfTwoAccounts = false

    package init() {}

    /// The books of a person's two accounts as one, in the order of time.
    func merged(with other: AccountStatement) -> AccountStatement {
        if other.transactions.isEmpty, other.attempts.isEmpty { return self }
        var merged = self
        merged.isOfTwoAccounts = true
        merged.transactions = (transactions + other.transactions).sorted { $0.id < $1.id }
        merged.charges = (charges + other.charges).sorted { $0.transaction < $1.transaction }
        merged.attempts = (attempts + other.attempts).sorted { $0.payment.number < $1.payment.number }
        merged.notifications = (notifications + other.notifications).sorted { $0.transaction < $1.transaction }
        return merged
    }
}
