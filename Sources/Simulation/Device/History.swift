// What happened on one device, in order: the call history that the audit and the metrics fold over.
// Values, appended on the device's lane.

/// One line of a device's history. Small and flat, because every purchase leaves about twenty.
package struct HistoryRecord: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        // The process.
        case launched
        /// `number`: how many observers were on the queue.
        case launchReturned
        case willTerminate
        /// `other`: how much of what the app had begun, or waited for, was still under way.
        case terminated
        /// `number`: the effect it crashed before, or 0 for a crash between effects; `other` as above.
        case crashed
        case backgrounded
        case foregrounded
        case reinstalled
        case settlingBegan
        /// The person signed in with their other account.
        case accountSwitched
        /// The device is judged as it is. `number`: the launches of the settling; `code`: 1 if the last of them still
        /// changed something; `other`: how much was still under way.
        case settled

        // The user asks, the app answers. `number`: the request; `code` of an answer: an `AnswerCode`.
        /// `other`: the planned instant; of an answered fetch, how many products the user was shown, and `payment`: how
        /// many of them the store does not sell.
        case fetchAsked
        case fetchAnswered
        case purchaseAsked
        case purchaseAnswered
        case restoreAsked
        case restoreAnswered
        /// `number`: how many goods went.
        case used

        // What crossed the StoreKit boundary.
        /// `number`: the observer; `code`: how often it is on the queue now.
        case observerAdded
        case observerRemoved
        /// `number`: the payment token; `code`: the quantity; `other`: the request in whose call the app added it, 0 for
        /// none, or `promotedPayment`.
        case paymentAdded
        /// `number`: the transaction's handle; `other`: its identifier or 0; `payment`: its payment token or 0;
        /// `code`: a `TransactionState`.
        case told
        case finishCalled
        case removedTold
        /// `code`: why a transaction was told as failed; follows its `told`. `number`: the handle; `payment`: its token.
        case failureTold
        case restoreCalled
        case restoreFinishedTold
        case restoreFailedTold
        case receiptRefreshStarted
        /// `other`: when the store wrote the receipt that is on the device, negative if there is none.
        case receiptRefreshTold
        /// `code`: why.
        case receiptRefreshFailedTold
        /// Where receipts lag: one has come. `other`: when the store wrote it.
        case receiptArrived
        /// The app is told that something was taken back. `number`: the transaction's identifier.
        case revokedTold
        /// R43: the person tapped a product in the store, which leads them to the app.
        case promotionTapped
        /// The app was asked. `code`: a `PromotionAnswer`.
        case promotionTold
        /// `other`: the request in whose call the app began it, 0 for none.
        case productsStarted
        /// `number`: the request; `code`: how many were found, or why it failed; `other`: 1 if the app had let go of it, and
        /// hears nothing; `payment`: how many of those asked for are not sold.
        case productsTold
        case productsFailedTold

        /// The store named an unfinished purchase that this device did not know. `number`: its identifier;
        /// `other`: when the store said so.
        case admitted

        /// A message to the store was lost on its way. `code`: a `LinkMessageKind`; `number`: the transaction it is about, or 0.
        case requestLost
        /// The store did what a message asked for, and its answer was lost. As above.
        case answerLost
        /// The app sent something to a server on the web. `number`: which of this launch's effects it was.
        case posted
        /// What came of it, as the app was told. `code`: the status of the answer, or a negative code of NSURLErrorDomain.
        case postAnswered

        // What became durable.
        /// `number`: goods of `product` held durably, read just before a purchase is told and after every write since.
        case goods
        /// `number`: keys or files written.
        case stored

        /// Wall clock only: one call into client code held the main queue too long. `number`: the nanoseconds it has
        /// to answer for; `other`: how many are allowed; `code`: a `ClientCall`.
        case mainQueueHeld
        /// A call into client code has not come back. `number`: the nanoseconds it was waited for; `code`: a
        /// `ClientCall`.
        case hung
        /// The app did more in a second than a device could, and the system ended it. `number`: what it asked of StoreKit
        /// and of servers since the person last did anything; `other`: everything it did.
        case overworked

        // Calls that come from where they should not.
        case calledOffLane
        /// `code`: a `ClientException`.
        case raised
        /// A finish of a transaction that this device does not know.
        case foreignFinish
    }

    package let at: Instant
    package let number: Int64
    package let other: Int64
    /// The launch it happened in, counted from 1.
    package let process: Int32
    /// The payment it belongs to, or 0.
    package let payment: Int32
    package let code: Int32
    /// An index into the catalog, or -1.
    package let product: Int16
    package let kind: Kind

    package init(
        at: Instant, kind: Kind, process: Int, product: ProductIndex? = nil, number: Int64 = 0, other: Int64 = 0,
        payment: Int = 0, code: Int = 0
    ) {
        self.at = at
        self.kind = kind
        self.process = Int32(truncatingIfNeeded: process)
        self.product = Int16(product ?? -1)
        self.payment = Int32(truncatingIfNeeded: payment)
        self.number = number
        self.other = other
        self.code = Int32(truncatingIfNeeded: code)
    }

    package var productIndex: ProductIndex? { product < 0 ? nil : Int(product) }

    /// Stands in a `paymentAdded` whose payment came from the store, by way of a promotion (R43).
    package static let promotedPayment: Int64 = -1
}

/// R13's states, with StoreKit's raw values.
package enum TransactionState: Int, Sendable, Codable, CaseIterable {
    case purchasing = 0
    case purchased = 1
    case failed = 2
    case restored = 3
    case deferred = 4
}

/// What an app made of a promoted purchase (R43).
package enum PromotionAnswer: Int, Sendable, CaseIterable {
    /// None of its observers implements the question.
    case unheard
    /// False: the payment is not added now.
    case notNow
    case added
}

/// What the app told its user in answer to a request.
package enum AnswerCode: Int, Sendable, CaseIterable {
    case purchased = 1
    case cancelled
    case deferred
    case failed
    /// Turned away by the app itself before anything was asked of the store.
    case refused
    case restored
    case nothingToRestore
    case fetched
}

/// The failure of a transaction or a restore as one number for the history.
extension StoreFailure {
    private static let noErrorCode = 1_000_000
    private static let outsideTheDomain: [StoreFailure] = [
        .alreadySubscribed, .interrupted, .undocumentedCancel, .noError, .tooManyRefreshes,
    ]

    package var historyCode: Int {
        switch self {
        case .store(let code): return code.rawValue
        case .network(let code): return code
        case .alreadySubscribed: return Self.alreadySubscribedCode
        case .interrupted: return Self.interruptedCode
        case .undocumentedCancel: return Self.undocumentedCancelCode
        case .tooManyRefreshes: return Self.tooManyRefreshesCode
        case .noError: return Self.noErrorCode
        }
    }

    /// The failure that a history code stands for.
    package init?(historyCode: Int) {
        if historyCode < 0 {
            self = .network(code: historyCode)
        } else if let other = Self.outsideTheDomain.first(where: { $0.historyCode == historyCode }) {
            self = other
        } else if let code = StoreErrorCode(rawValue: historyCode) {
            self = .store(code)
        } else {
            return nil
        }
    }
}
