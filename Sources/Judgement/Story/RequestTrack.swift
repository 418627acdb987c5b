// What is known of one request of the user, and of one payment.

package import Simulation

/// A fetch, purchase or restore that the user asked for.
package struct RequestTrack: Sendable {
    package let kind: RequestKind
    package let number: Int32
    package let product: ProductIndex?
    package let quantity: Int32
    /// When it was to be asked, and when it was.
    package let plannedAt: Instant
    package let asked: Moment
    /// When it was answered first.
    package internal(set) var answered: Moment?
    /// The products request that the app began for it last, and whether that still runs.
    var productsRequest: Int32?
    var awaitsProducts = false
    /// How many products that request found.
    var found = 0
    /// The payment that the app made of it last.
    package internal(set) var payment: Int32?
    /// The app asked StoreKit for something after this request.
    var hasCalledStoreKit = false
    /// StoreKit told the app how it ended, and when.
    var ending: Ending?
    var endedAt: Instant?
    /// The last such instant before the app answered, that of a products request which it had joined included.
    var decidedAt: Instant?
    /// It was pending approval at some time.
    var wasDeferred = false
    /// S73: what came of it could not be verified. Whether the app calls that a purchase is its own decision.
    var wasUnverified = false
    /// Interrupted, and told as purchased after all, in a transaction of its own.
    var isCompleted = false
    /// The app has finished the transaction that it ended with.
    var finished: Moment?
    var answers = 0
    package internal(set) var answer: AnswerCode?
    var answerEnding: Ending?
    var answerWasFinished = false
    /// Products that the user was shown, or purchases that were restored; and how many products of these the store did
    /// not sell.
    package internal(set) var shown = 0
    var unsold = 0
    /// Why it failed, as StoreKit told.
    package internal(set) var failure: StoreFailure?
    /// What the app may have had against asking the store, when it answered without asking.
    var hadReason = false
    /// Transactions that StoreKit restored before the app answered, and after that.
    var restoredCount = 0
    var restoredAfterAnswer = 0
    /// Of these, those that are no part of the restore: a free second purchase, or what is unfinished on the queue.
    var repeatedCount = 0
    /// What stood in the receipt when the app answered: purchases up to then; nil: there was none.
    var receiptAsOf: Instant?
    /// When the launch began in which it was asked.
    var launchedAt = Instant.start
    /// When StoreKit last told the app, in this launch and before it answered, of products that are not sold.
    var toldUnsold: ToldUnsold?
    /// A products request was begun outside the user's calls while others waited for one too: whose it is, is a guess.
    var isProductsRequestGuessed = false
    /// A products request that was under way when the user asked: the app may have them wait for it.
    var joined: Int32?
    /// Whether there was one, ended or not.
    var hasJoined = false
    /// The app asked StoreKit to restore; else it may have refreshed its receipt to the same end.
    var hasCalledRestore = false
    /// How the process ended that it was asked in.
    var end: ProcessEnd?

    package var process: Int32 { asked.process }

    /// When StoreKit told what last decided it, before the app answered. Nil where the app answered without: it had not
    /// asked, or had no word yet of what it asked last.
    package var decided: Instant? {
        answerEnding != nil || isCompleted || hasOnlyJoined ? decidedAt : nil
    }

    /// The products that it wants, it has not had asked for: if it waits for any, it is for those that another wanted.
    var hasOnlyJoined: Bool { kind != .restore && payment == nil && productsRequest == nil }

    /// What is known of another's products is known of this one's.
    mutating func takeProducts(of other: RequestTrack) {
        productsRequest = other.productsRequest
        awaitsProducts = other.awaitsProducts
        found = other.found
        ending = other.ending
        endedAt = other.endedAt
        decidedAt = other.decidedAt
    }

    enum Ending {
        case purchased, restored, deferred, failed, restoreFinished, restoreFailed, products, productsFailed
        case receiptRefreshed
    }

    /// Whether both were open in the same app at some moment.
    func overlaps(_ other: RequestTrack) -> Bool {
        process == other.process && asked.place < other.answeredPlace && other.asked.place < answeredPlace
    }

    /// Places, because time may stand still between question and answer.
    private var answeredPlace: Int32 { answered?.place ?? .max }

    /// Whether StoreKit had restored something when the app answered, nothing after that, and has reported no failure.
    var hadAllRestored: Bool { restoredCount > 0 && restoredAfterAnswer == 0 && ending != .restoreFailed }

    var wasCancelled: Bool { failure == .store(.paymentCancelled) }

    /// Whether an app may take what StoreKit told for a cancel.
    var mayBeCancel: Bool {
        switch failure {
        case .store(.paymentCancelled), .store(.overlayCancelled), .undocumentedCancel, .noError,
            .network(code: StoreFailure.cancelledAuthentication):
            return true
        default: return false
        }
    }
}

/// How a launch ended.
struct ProcessEnd: Sendable {
    let moment: Moment
    /// Something that the app had begun, or waited for, was still to come.
    let wasBusy: Bool

    /// Whether the user saw the app go on after that moment, and could expect nothing more of it: it had come to rest, or
    /// lived on for much longer than a user waits.
    func showedNothing(since moment: Instant, patience: Span) -> Bool {
        !wasBusy || self.moment.at - moment >= max(patience, Self.busyMax)
    }

    /// What an app may be at before it has to say something: a server that does not answer is tried several times.
    private static let busyMax = Span.minutes(5)
}

/// A payment that the app added, and whose it is.
package struct PaymentTrack: Sendable {
    package let token: Int32
    package let added: Moment
    /// The place of the request that it was added for.
    let request: Int?
    /// Something else than a request of the same launch explains it: a promotion, or a request that an earlier launch
    /// did not live to pay for.
    let isExplained: Bool
    package let isPromoted: Bool
    package let product: ProductIndex?
    package let quantity: Int32
    /// What StoreKit last told of it, and what it told first.
    var ending: RequestTrack.Ending?
    var outcome: RequestTrack.Ending?
    /// When StoreKit first told that it waits for approval, and when it told how that ended.
    package internal(set) var deferredAt: Instant?
    package internal(set) var approvalEndedAt: Instant?
    /// When StoreKit first told anything of how it ended, deferral included.
    package internal(set) var outcomeAt: Moment?

    var process: Int32 { added.process }

    /// From when it was added until StoreKit first told how it ended, in nanoseconds; nil: it never did.
    package var duration: Int64? { outcomeAt.map { ($0.at - added.at).nanoseconds } }

    mutating func note(_ ending: RequestTrack.Ending, _ now: Moment) {
        self.ending = ending
        outcomeAt = outcomeAt ?? now
        outcome = outcome ?? ending
        if ending == .deferred {
            deferredAt = deferredAt ?? now.at
        } else if deferredAt != nil, approvalEndedAt == nil {
            approvalEndedAt = now.at
        }
    }
}

extension StoreFailure {
    /// NSURLErrorUserCancelledAuthentication.
    static let cancelledAuthentication = -1012
}

/// Something that the app told its user.
package struct Answer: Sendable {
    package let moment: Moment
    package let note: DeviceEvent.Answer
}

/// A products request of the app.
package struct Fetch: Sendable {
    package let request: Int32
    package let began: Moment
    /// Nil: StoreKit never answered, or the launch was over before.
    package internal(set) var end: End?

    package struct End: Sendable {
        package let moment: Moment
        /// So many products, or why it failed.
        package let result: Result<Int, StoreFailure>
        /// Whether the app had kept its request, and hears of it.
        package let isHeard: Bool
    }
}

/// A restore, or a refresh of the receipt, that the app called for.
package struct Restore: Sendable {
    package let called: Moment
    /// Whether the user waited for an answer then, to whatever it was.
    package let isAsked: Bool
    /// What StoreKit told; nil: nothing.
    package internal(set) var end: End?

    package struct End: Sendable {
        package let moment: Moment
        /// Nil: it ended well.
        package let failure: StoreFailure?
    }
}

/// How many of the products that an app asked for are not sold, and when StoreKit said so.
struct ToldUnsold: Sendable {
    let at: Instant
    let count: Int32
}
