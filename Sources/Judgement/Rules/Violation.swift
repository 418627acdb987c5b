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
    package var finding: Finding

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
        case overworked(asked: Int, done: Int)
        case observers(Int)
        case raised(ClientException)
        case neverAsked
        /// Real time that a call into the client has to answer for.
        case held(Span, limit: Span, ClientCall)
        /// Real time that a call into the client was waited for.
        case waited(Span, ClientCall)
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

    package init(
        rule: AuditRule, at: Instant, process: Int? = nil, product: ProductIndex? = nil,
        transaction: TransactionID? = nil, request: Request? = nil, finding: Finding = .none
    ) {
        self.rule = rule
        self.at = at
        self.process = process
        self.product = product
        self.transaction = transaction
        self.request = request
        self.finding = finding
    }

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

/// A broken invariant of the simulation itself: a bug of ours, never the client's.
package enum HarnessFault: Sendable, Equatable {
    case chargeWithoutTransaction(TransactionID)
    case transactionWithoutCharge(TransactionID)
    case chargedMoreThanOnce(TransactionID, times: Int)
    case identifierTwice(TransactionID)
    case finishedAndRedelivered(TransactionID)
    case illegalTransition(handle: Int, from: TransactionState, to: TransactionState)
    case effectOfDeadProcess(Int, Effect)
    case timeWentBack(from: Instant, to: Instant)
}

/// Everything the audit reads of one user.
package struct AuditInput: Sendable {
    package let catalog: Catalog
    package let statement: AccountStatement
    package let history: [EventRecord]
    /// Goods held of each product after the final relaunch.
    package let held: [Int]
    /// Goods that one purchase of each product brings.
    package let goodsPerPurchase: [Int]
    /// Products of purchases which another of the account's devices answers for.
    package let boughtElsewhere: Set<ProductIndex>
    /// Products that the account still owns by purchases which another of its devices answers for.
    package let ownedElsewhere: Set<ProductIndex>
    /// Of what is held, entitlements that one of the device's accounts no longer shows at the very end.
    package var givenUp: Set<ProductIndex> = []
    /// How long a user waits for an answer.
    package var patience = AppConditions().patience
    /// Rules that the scenario leaves to the app.
    package var tolerated: Set<AuditRule> = []
    /// How long an expired subscription may still be granted.
    package var staleness = Span.zero
    /// When the store stopped selling products that it had sold.
    package var withdrawn: [ProductIndex: Instant] = [:]
    /// Receipts come later than what they tell of, and their coming is in the history.
    package var notesReceipts = false

    /// Of nobody.
    static let nothing = AuditInput(ofHistory: [], .empty)

    /// Of what happened on a device alone: without the store's books, and without a look at what is held.
    package init(ofHistory history: [EventRecord], _ catalog: Catalog) {
        let nothing = catalog.products.map { _ in 0 }
        self.init(
            catalog: catalog, statement: AccountStatement(), history: history, held: nothing, goodsPerPurchase: nothing)
    }

    package init(
        catalog: Catalog, statement: AccountStatement, history: [EventRecord], held: [Int], goodsPerPurchase: [Int],
        boughtElsewhere: Set<ProductIndex> = [], ownedElsewhere: Set<ProductIndex> = []
    ) {
        self.boughtElsewhere = boughtElsewhere
        self.ownedElsewhere = ownedElsewhere
        precondition(held.count == catalog.products.count, "\(held.count) holdings, \(catalog.products.count) products")
        self.catalog = catalog
        self.statement = statement
        self.history = history
        self.held = held
        self.goodsPerPurchase = goodsPerPurchase
    }
}

package struct AuditFindings: Sendable, Equatable {
    package var violations: [Violation] = []
    package var faults: [HarnessFault] = []

    package init() {}
}
