// A device's requests to the App Store, and the store's answers.
// Values only: they cross from the device's lane to the store's and back.

package enum StoreRequest: Sendable, Equatable {
    case products(identifiers: [String])
    case purchase(PaymentOrder)
    case restore(applicationUsername: String?)
    /// Which transactions of this account are unfinished?
    ///
    /// - Parameter wantsRecord: whether an app on the device reads purchases, so that the answer has all of them (S28).
    case sync(wantsRecord: Bool)
    case finish(TransactionID)
    /// R42: the app shows the sheet on which a code can be typed in.
    case redeemOffer
    /// R56: the receipt as it is now, after the password.
    case refreshReceipt
    /// S80: after the password, everything that was bought.
    case synchronise
    /// S77: the sheet on which a refund can be asked for has been shown.
    case refund(TransactionID)
    /// The sheet that asks whether a higher price is agreed to has been shown (R52).
    case priceConsent
}

/// A payment on its way to the store.
package struct PaymentOrder: Sendable, Equatable {
    package let token: PaymentToken
    package let payment: PaymentValue
    /// R51: where the person shopped when the payment was added; nil: where the catalog is sold.
    package var countryCode: String?
    /// Whether `Product.purchase` made it, and not the queue.
    package var isStoreKit2 = false

    package init(token: PaymentToken, _ payment: PaymentValue, countryCode: String? = nil) {
        (self.token, self.payment, self.countryCode) = (token, payment, countryCode)
    }
}

package enum StoreAnswer: Sendable, Equatable {
    // Indirect: an answer is copied at every step of its way.
    indirect case products(found: [ProductIndex], invalid: [String], CatalogEdition)
    indirect case purchased(StoreTransaction)
    /// The same of `Product.purchase` where a subscription changes, with all purchases (S64).
    indirect case subscribed(StoreTransaction, PurchaseRecord)
    /// R51: the person shops elsewhere now; the app decides whether the payment goes on there.
    indirect case storefrontChanged(StorefrontValue)
    /// The purchase needs approval first (R35).
    case deferred
    indirect case restored([StoreTransaction])
    /// Some were restored, then the store failed (R28).
    indirect case partlyRestored([StoreTransaction], StoreFailure)
    indirect case news(StoreNews)
    case finished
    case consentNoted
    case receiptRefreshed
    case redemptionEnded
    case refundAnswered(RefundAnswer)
    indirect case failed(StoreFailure)
    /// The store does not answer at all: the device gives up after its request timeout.
    case silence
    /// The store took the payment for something already bought and says nothing of it (R24).
    case nothing
}

/// What came of the sheet on which a refund can be asked for (S77).
package enum RefundAnswer: Sendable { case requested, cancelled, requestedBefore, failed }

extension StoreAnswer {
    var isSilence: Bool {
        if case .silence = self { return true }
        return false
    }
}

/// What a device hears when it synchronises.
package struct StoreNews: Sendable, Equatable {
    /// When the store said so.
    package let asOf: Instant
    /// Purchases of the account that no app has finished.
    package let unfinished: [StoreTransaction]
    /// Payments that waited for an approval and will never be purchases.
    package let closed: [ClosedRequest]
    /// Everything that was ever taken back.
    package let revoked: [Revocation]
    /// R52: a higher price has to be agreed to.
    package let needsPriceConsent: Bool
    /// R51: nil as long as it is the catalog's.
    package let storefront: StorefrontValue?
    /// R44: bought outside the app, and pending approval.
    package var requests: [PaymentOrder] = []
    /// All purchases, for a device that asked for them.
    package var record: PurchaseRecord?
}

/// An Ask to Buy request that ended without a purchase.
package struct ClosedRequest: Sendable, Equatable {
    package let payment: PaymentToken
    /// Declined (R37), or dropped without an answer (R36).
    package let isDeclined: Bool
}

/// Why a request failed, in StoreKit's domain or in the URL loading system's (R16).
package enum StoreFailure: Error, Sendable, Hashable {
    case store(StoreErrorCode)
    /// A code of NSURLErrorDomain.
    case network(code: Int)
    /// R25: an unknown error with a cause of the store's own domain.
    case alreadySubscribed
    /// R40: the same, with the cause that an interrupted purchase has been seen to give.
    case interrupted
    /// R16: a cancel that arrives under an undocumented code.
    case undocumentedCancel
    /// R14: a failed transaction without an error.
    case noError
    /// R56: the receipt was refreshed a moment ago.
    case tooManyRefreshes

    package static let alreadySubscribedCode = 3532
    package static let interruptedCode = 2024
    package static let tooManyRefreshesCode = 603
    package static let undocumentedCancelCode = 907
    package static let timedOut = StoreFailure.network(code: -1001)
    package static let offline = StoreFailure.network(code: -1009)
}
