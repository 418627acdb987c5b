// What the audit finds: facts only; `Narrator` has the words.
// Values; any thread.

package import Simulation

/// One breach of a rule by one user's app.
package struct Violation: Sendable, Equatable {
    package let rule: AuditRule
    package let at: Instant
    /// The launch it happened in, where it belongs to one.
    package var process: Int?
    package var product: ProductIndex?
    package var transaction: TransactionID?
    /// The payment that it is about, where no transaction or request says so.
    package var payment: Int32?
    /// The request that the user made, where it is about one.
    package var request: Request?
    package var finding = Finding.none

    /// A request of the user, by its number.
    package struct Request: Sendable, Equatable {
        package let kind: RequestKind
        package let number: Int32
        /// The payment that the app made of it last, and the products request that it began for it last.
        package var payment: Int32?
        package var productsRequest: Int32?
    }

    /// The particulars of a breach.
    package enum Finding: Sendable, Equatable {
        case none
        /// A purchase waited for the app.
        case owed
        case goods(expected: Int, held: Int)
        /// Goods of another product came.
        case mixedUp(with: ProductIndex)
        case state(TransactionState)
        case answers(Int)
        case answered(AnswerCode, attempt: PurchaseAttempt.Outcome?)
        /// Answered without asking the store, and without a reason not to.
        case answeredUnasked(AnswerCode)
        case fetched(AnswerCode, FetchMistake)
        case restored(AnswerCode, RestoreMistake)
        /// What became of the question whether a promoted purchase is wanted; nil: it could not even be asked.
        case promoted(PromotionAnswer?)
        /// The app has never read purchase intents, by which StoreKit 2 tells of promoted purchases.
        case intentsUnread
        case overworked(asked: Int, done: Int)
        case observers(Int)
        case raised(ClientException)
        /// Client code ended the process.
        case died(DeathNote)
        case neverAsked
        /// Real time that a call into the client has to answer for.
        case held(Span, limit: Span, ClientCall)
        /// Real time that a call into the client was waited for.
        case waited(Span, ClientCall, ClientWait)
    }

    /// What is wrong with the products that a user was shown.
    package enum FetchMistake: Sendable, Equatable {
        case showedUnsold(Int)
        case showedNothing(found: Int)
        case failureAsSuccess
        case successAsFailure(found: Int)
    }

    /// What StoreKit had told of a restore that was answered otherwise.
    package enum RestoreMistake: Sendable, Equatable {
        case nothingTold
        case failed(StoreFailure?)
        /// It ended well, and brought so many.
        case finished(restored: Int, shown: Int)
    }
}

extension Violation {
    /// Of something that the app did, or should have done, at a moment.
    init(
        _ rule: AuditRule, _ moment: Moment, product: ProductIndex? = nil, transaction: TransactionID? = nil,
        _ finding: Finding = .none
    ) {
        self.init(
            rule: rule, at: moment.at, process: Int(moment.process), product: product, transaction: transaction,
            finding: finding)
    }
}
