// What can happen on a device, each with what there is to know of it.
// Values, and small: every purchase leaves about twenty.

package enum DeviceEvent: Sendable, Equatable {
    // The process.
    case launched
    /// - Parameter observers: on the queue when the launch returned.
    case launchReturned(observers: Int)
    case willTerminate
    /// - Parameter underWay: how much of what the app had begun, or waited for, was still to come.
    case terminated(underWay: Int)
    /// What the app set in the defaults goes with the crash that follows, as it was not flushed.
    case writesLost(count: Int)
    /// - Parameter before: the effect that the app crashed before; nil between effects.
    case crashed(before: MissedEffect?)
    case backgrounded
    case foregrounded
    /// The app was deleted and installed again.
    case reinstalled
    /// Another client was installed as the app's update.
    ///
    /// - Parameter client: its name, by its place among the device's names.
    case updated(client: Int16?)
    case settlingBegan
    /// The person signed in with their other account.
    case accountSwitched
    /// The device is judged as it is.
    case settled(SettledNote)

    // The user asks, the app answers.
    case asked(Question)
    case answered(Answer)
    case used(ProductIndex, count: Int)

    // What crossed the StoreKit boundary.
    /// - Parameter times: how often that observer is on the queue now.
    case observerAdded(times: Int)
    /// - Parameter left: observers on the queue now.
    case observerRemoved(left: Int)
    /// No task reads `Transaction.updates` any more; or none does when the launch is noted, but the app has read what is
    /// unfinished.
    case updatesUnread(hadReader: Bool)
    /// A task reads `Transaction.updates`, after `updatesUnread`.
    case updatesRead
    case paymentAdded(PaymentNote)
    case delivered(TransactionNote)
    /// S73: StoreKit 2 has handed over a purchase that it could not verify.
    case unverifiedDelivered(TransactionNote)
    case finishCalled(TransactionNote)
    case removalDelivered(TransactionNote)
    /// Why StoreKit delivered a transaction as failed; follows its `delivered`.
    case failureDelivered(payment: Int32?, StoreFailure)
    case restoreCalled
    /// S80.
    ///
    /// - Parameter asked: the request of the user that the calling task works for.
    case syncCalled(asked: Int32?)
    /// S28: StoreKit 2 has answered without the store's record, as if the account owned nothing, or with it again.
    case recordRead(isHidden: Bool)
    /// The app has read what the account owns: at first in a launch, from another record, or verified otherwise (S73).
    /// - Parameter asOf: when the store had told the device.
    case entitlementsRead(areVerified: Bool, asOf: Instant)
    case restoreFinished
    case restoreFailed(StoreFailure)
    case receiptRefreshStarted(request: Int32)
    /// - Parameter writtenAt: when the store wrote the receipt that is on the device; nil if there is none.
    case receiptRefreshed(request: Int32, writtenAt: Instant?)
    case receiptRefreshFailed(request: Int32, StoreFailure)
    /// Where receipts lag: one has come, which the store wrote then.
    case receiptArrived(writtenAt: Instant)
    /// StoreKit reports a revocation to the app.
    case revocationDelivered(TransactionID, ProductIndex)
    /// R43: the person tapped a product in the store, which leads them to the app.
    case promotionTapped(ProductIndex)
    /// R43: the app was asked.
    case promotionAsked(ProductIndex?, PromotionAnswer)
    /// - Parameter asked: the request of the user in whose call the app began it.
    case productsStarted(request: Int32, asked: Int32?)
    case productsDelivered(ProductsNote)
    /// - Parameter isHeard: whether the app had kept its request, and hears of it.
    case productsFailed(request: Int32, StoreFailure, isHeard: Bool)

    /// The store named an unfinished purchase that this device did not know.
    case admitted(AdmissionNote)
    /// A message to a server was lost on its way, or the answer to it was.
    case lost(LostNote)
    /// The app sent a request to a server on the web.
    case posted(PostNote)
    /// The answer or failure of that request, as the app received it.
    case postAnswered(PostNote, PostOutcome)

    // Durable changes.
    /// Goods held durably, read just before StoreKit delivers a purchase and after every write since.
    case goods(ProductIndex, count: Int)
    /// Goods that the app had when it was launched for the first time after it was deleted: the keychain outlives it.
    case kept(ProductIndex, count: Int)
    /// - Parameter count: keys or files written.
    case stored(count: Int)

    /// Wall clock only: one call into client code held the main queue too long.
    case mainQueueHeld(Span, limit: Span, ClientCall)
    /// A call into client code has not come back for so long: of real time if it waits for nothing that is known, else of
    /// the device's.
    case hung(Span, ClientCall, ClientWait)
    /// The app did more in a second than a device could, and the system ended it: what it asked of StoreKit and of servers
    /// since the person last did anything, and everything it did.
    case overworked(asked: Int, done: Int)

    // Calls that come from where they should not.
    case calledOffLane
    case raised(ClientException)
    /// Client code ended the process, or would have: the app ends there. The call is left out, with whatever it had done.
    case died(DeathNote)
    /// A finish of a transaction that this device does not know.
    case foreignFinish
}

extension DeviceEvent {
    /// A transaction as it stands on the device's queue.
    package struct TransactionNote: Sendable, Equatable {
        private let number: Int64
        /// As the device numbers its transactions.
        package let handle: Int32
        private let token: Int32
        private let place: SmallIndex
        /// A state in three bits, and an observer in the five above.
        private let packed: UInt8

        package init(
            _ id: TransactionID?, handle: Int32, payment: Int32?, product: ProductIndex?, state: TransactionState,
            observer: Int16? = nil
        ) {
            number = id?.number ?? 0
            self.handle = handle
            token = payment ?? 0
            place = SmallIndex(product)
            packed = UInt8(state.rawValue) | UInt8(clamping: (observer.map { $0 < 31 ? $0 + 1 : 0 } ?? 0)) << 3
        }

        package var state: TransactionState {
            guard let state = TransactionState(rawValue: Int(packed & 7)) else {
                preconditionFailure("state \(packed)")
            }
            return state
        }
        /// The type of the observer that finished it, by its place among the device's names; nil where the app has one
        /// observer, or finished it elsewhere. There is room for the first 31 types.
        package var observer: Int16? { packed >> 3 == 0 ? nil : Int16(packed >> 3) - 1 }

        /// Finished in a callback of that observer.
        package func by(_ observer: Int16?) -> TransactionNote {
            TransactionNote(id, handle: handle, payment: payment, product: product, state: state, observer: observer)
        }

        /// What the store calls it; nil before it is completed.
        package var id: TransactionID? { number == 0 ? nil : TransactionID(number: number) }
        /// Nil for what no payment of this device led to.
        package var payment: Int32? { token == 0 ? nil : token }
        package var product: ProductIndex? { place.index }
    }

    /// A payment that was added to the queue.
    package struct PaymentNote: Sendable, Equatable {
        package let payment: Int32
        package let quantity: Int32
        private let request: Int32
        private let place: SmallIndex
        /// StoreKit added it, by way of a promotion (R43).
        package let isPromoted: Bool

        package init(
            _ payment: Int32, product: ProductIndex?, quantity: Int32, asked: Int32? = nil, isPromoted: Bool = false
        ) {
            self.payment = payment
            self.quantity = quantity
            request = asked ?? 0
            place = SmallIndex(product)
            self.isPromoted = isPromoted
        }

        package var product: ProductIndex? { place.index }
        /// The request of the user in whose call the app added it.
        package var asked: Int32? { request == 0 ? nil : request }
    }

    /// Something that the user asks the app for.
    package struct Question: Sendable, Equatable {
        /// When it was to be asked.
        package let plannedAt: Instant
        /// Of the device's requests, which.
        package let number: Int32
        package let quantity: Int32
        private let place: SmallIndex
        package let kind: RequestKind

        package init(
            _ kind: RequestKind, _ number: Int32, product: ProductIndex? = nil, quantity: Int32 = 0, plannedAt: Instant
        ) {
            self.plannedAt = plannedAt
            self.number = number
            self.quantity = quantity
            place = SmallIndex(product)
            self.kind = kind
        }

        package var product: ProductIndex? { place.index }
    }

    /// What the app tells its user.
    package struct Answer: Sendable, Equatable {
        package let number: Int32
        /// Products shown, or purchases restored.
        package let count: Int32
        /// Of the products shown, those that the store does not sell.
        package let unsold: Int32
        private let place: SmallIndex
        private let said: Int16
        package let kind: RequestKind
        package let code: AnswerCode

        package init(
            _ code: AnswerCode, to kind: RequestKind, _ number: Int32, product: ProductIndex? = nil, count: Int32 = 0,
            unsold: Int32 = 0, message: Int16? = nil
        ) {
            self.number = number
            self.count = count
            self.unsold = unsold
            place = SmallIndex(product)
            said = message ?? -1
            self.kind = kind
            self.code = code
        }

        /// What a failure or a refusal says, by its place among the device's names.
        package var message: Int16? { said < 0 ? nil : said }
        package var product: ProductIndex? { place.index }
    }

    /// Products that a products request found.
    package struct ProductsNote: Sendable, Equatable {
        package let request: Int32
        package let found: Int32
        /// Of those asked for, how many are not sold.
        package let unsold: Int32
        /// Whether the app had kept its request, and hears of it.
        package let isHeard: Bool

        package init(_ request: Int32, found: Int32, unsold: Int32 = 0, isHeard: Bool = true) {
            self.request = request
            self.found = found
            self.unsold = unsold
            self.isHeard = isHeard
        }
    }

    /// A purchase that the device learnt of.
    package struct AdmissionNote: Sendable, Equatable {
        package let transaction: TransactionID
        /// When the store said so.
        package let asOf: Instant
        private let place: SmallIndex

        package init(_ transaction: TransactionID, product: ProductIndex, asOf: Instant) {
            self.transaction = transaction
            self.asOf = asOf
            place = SmallIndex(product)
        }

        package var product: ProductIndex? { place.index }
    }

    /// A message that was lost on its way.
    package struct LostNote: Sendable, Equatable {
        private let number: Int64
        private let place: SmallIndex
        private let server: Int16
        package let kind: LinkMessageKind
        package let fault: FaultKind

        package init(
            _ fault: FaultKind, _ kind: LinkMessageKind, transaction: TransactionID? = nil,
            product: ProductIndex? = nil, address: Int16? = nil
        ) {
            number = transaction?.number ?? 0
            place = SmallIndex(product)
            server = address ?? -1
            self.kind = kind
            self.fault = fault
        }

        /// What it was about.
        package var transaction: TransactionID? { number == 0 ? nil : TransactionID(number: number) }
        package var product: ProductIndex? { place.index }
        /// Where a request was sent, by its place among the device's names.
        package var address: Int16? { server < 0 ? nil : server }
    }

    /// A request to a server on the web.
    package struct PostNote: Sendable, Equatable {
        /// Of the effects of its launch, which.
        package let effect: Int32
        private let server: Int16
        package let isForValidator: Bool

        package init(effect: Int, to address: Int16? = nil, isForValidator: Bool = false) {
            self.effect = Int32(clamping: effect)
            server = address ?? -1
            self.isForValidator = isForValidator
        }

        /// Where it was sent, by its place among the device's names; nil: there was no room for the name.
        package var address: Int16? { server < 0 ? nil : server }
    }

    package struct SettledNote: Sendable, Equatable {
        /// Of the settling.
        package let launches: Int32
        /// The last of them still changed something.
        package let isChanging: Bool
        package let underWay: Int32

        package init(launches: Int32 = 0, isChanging: Bool = false, underWay: Int32 = 0) {
            self.launches = launches
            self.isChanging = isChanging
            self.underWay = underWay
        }
    }

    /// What a server on the web answered.
    package enum PostOutcome: Sendable, Equatable {
        /// An HTTP status, and how long the body was.
        case status(Int32, bytes: Int32)
        /// A code of NSURLErrorDomain.
        case failed(code: Int32)
    }
}

/// A place in the catalog in two bytes.
private struct SmallIndex: Sendable, Equatable {
    private let place: Int16

    init(_ index: ProductIndex?) { place = Int16(index ?? -1) }

    var index: ProductIndex? { place < 0 ? nil : Int(place) }
}

extension DeviceEvent {
    /// What the app did to the world outside its process, if it did anything.
    package var effect: Effect? {
        switch self {
        case .observerAdded, .observerRemoved, .updatesRead, .paymentAdded, .restoreCalled, .syncCalled,
            .productsStarted,
            .receiptRefreshStarted:
            .storeKitCall
        case .finishCalled, .foreignFinish: .finish
        case .stored: .storageWrite
        case .posted: .httpRequest
        case .answered: .answer
        case .launched, .launchReturned, .willTerminate, .terminated, .writesLost, .crashed, .backgrounded,
            .foregrounded,
            .reinstalled, .updated,
            .settlingBegan, .accountSwitched, .settled, .asked, .used, .delivered, .removalDelivered, .failureDelivered,
            .restoreFinished, .restoreFailed, .receiptRefreshed, .receiptRefreshFailed, .receiptArrived,
            .revocationDelivered, .promotionTapped, .promotionAsked, .productsDelivered, .productsFailed, .admitted,
            .lost, .recordRead, .entitlementsRead, .unverifiedDelivered, .updatesUnread,
            .postAnswered, .goods, .kept, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised,
            .died:
            nil
        }
    }

    /// The product it is about, if it is about one.
    package var product: ProductIndex? {
        switch self {
        case .asked(let question): question.product
        case .answered(let answer): answer.product
        case .paymentAdded(let payment): payment.product
        case .delivered(let transaction), .unverifiedDelivered(let transaction), .finishCalled(let transaction),
            .removalDelivered(let transaction):
            transaction.product
        case .used(let product, _), .goods(let product, _), .kept(let product, _), .revocationDelivered(_, let product),
            .promotionTapped(let product):
            product
        case .promotionAsked(let product, _): product
        case .admitted(let admission): admission.product
        case .lost(let message): message.product
        case .launched, .launchReturned, .willTerminate, .terminated, .writesLost, .crashed, .backgrounded,
            .foregrounded,
            .reinstalled, .updated,
            .settlingBegan, .accountSwitched, .settled, .observerAdded, .observerRemoved, .updatesUnread, .updatesRead,
            .failureDelivered, .restoreCalled, .syncCalled, .recordRead, .entitlementsRead,
            .restoreFinished, .restoreFailed, .receiptRefreshStarted, .receiptRefreshed,
            .receiptRefreshFailed, .receiptArrived, .productsStarted, .productsDelivered, .productsFailed, .posted,
            .postAnswered, .stored, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised, .died, .foreignFinish:
            nil
        }
    }
}
