// What the audit keeps of one request of the user, and of one payment, while it reads a history.

import Simulation

/// A fetch, purchase or restore that the user asked for.
struct RequestTrack {
    let kind: RequestKind
    let number: Int32
    let process: Int
    let product: ProductIndex?
    let quantity: Int32
    let askedAt: Instant
    /// The places of question and answer among all of them: time may stand still in between.
    let askedTurn: Int
    var answeredTurn = Int.max
    /// The products request that the app began for it last, and whether that still runs.
    var productsRequest: Int32?
    var awaitsProducts = false
    /// How many products that request found.
    var found = 0
    /// The payment that the app made of it last.
    var payment: Int32?
    /// The app asked StoreKit for something after this request.
    var hasCalledStoreKit = false
    /// StoreKit told the app how it ended, and when.
    var ending: Ending?
    var endedAt: Instant?
    /// It waited for somebody's approval at some time.
    var wasDeferred = false
    /// Interrupted, and told as purchased after all, in a transaction of its own.
    var isCompleted = false
    /// The app has finished the transaction that it ended with.
    var isFinished = false
    var answers = 0
    var answer: AnswerCode?
    var answerEnding: Ending?
    var answerWasFinished = false
    var answeredAt: Instant?
    /// Products that the user was shown, or purchases that were restored; and how many products of these the store did
    /// not sell.
    var shown = 0
    var unsold = 0
    /// Why it failed, as StoreKit told.
    var failure: StoreFailure?
    /// What the app may have had against asking the store, when it answered without asking.
    var hadReason = false
    var restoredCount = 0
    /// Of these, those that came for a payment: a free second purchase is no part of a restore.
    var repeatedCount = 0
    /// What stood in the receipt when the app answered: purchases up to then; nil: there was none.
    var receiptAsOf: Instant?
    /// When the launch began in which it was asked.
    var launchedAt = Instant.start
    /// When StoreKit last told the app, in this launch and before it answered, of products that are not sold.
    var toldUnsoldAt: Instant?
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

    enum Ending {
        case purchased, restored, deferred, failed, restoreFinished, restoreFailed, products, productsFailed
        case receiptRefreshed
    }

    /// Whether both were open in the same app at some moment.
    func overlaps(_ other: RequestTrack) -> Bool {
        process == other.process && askedTurn < other.answeredTurn && other.askedTurn < answeredTurn
    }

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
struct ProcessEnd {
    let at: Instant
    /// Something that the app had begun, or waited for, was still to come.
    let wasBusy: Bool

    /// Whether the user saw the app go on after that moment, and could expect nothing more of it: it had come to rest, or
    /// lived on for much longer than a user waits.
    func showedNothing(since moment: Instant, patience: Span) -> Bool {
        !wasBusy || at - moment >= max(patience, Self.busyMax)
    }

    /// What an app may be at before it has to say something: a server that does not answer is tried several times.
    private static let busyMax = Span.minutes(5)
}

/// A payment that the app added, and whose it is.
struct PaymentTrack {
    let token: Int32
    /// The place of the request that it was added for.
    let request: Int?
    /// Something else than a request of the same launch explains it: a promotion, or a request that an earlier launch
    /// did not live to pay for.
    let isExplained: Bool
    let isPromoted: Bool
    let product: ProductIndex?
    let quantity: Int32
    let process: Int32
    /// What StoreKit last told of it.
    var ending: RequestTrack.Ending?
}

extension StoreFailure {
    /// NSURLErrorUserCancelledAuthentication.
    static let cancelledAuthentication = -1012
}
