// The rules that the audit judges by.
// Values; any thread.

package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info
    case warning
    case error
    case critical

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    /// Whether it fails a run, unless the scenario allows it. Lesser findings are only reported.
    /// A warning fails a run if the scenario or the command asks for that.
    package var isViolation: Bool { self >= .error }

    private var rank: Int {
        switch self {
        case .info: return 0
        case .warning: return 1
        case .error: return 2
        case .critical: return 3
        }
    }
}

/// A rule, by the identifier that reports, thresholds and documents use. In the order of the rule book.
package enum AuditRule: String, Sendable, Codable, CaseIterable {
    case lostPurchase = "lost-purchase"
    case duplicateDelivery = "duplicate-delivery"
    case unpaidDelivery = "unpaid-delivery"
    case wrongProduct = "wrong-product"
    case unverifiedDelivery = "unverified-delivery"
    case finishedBeforeDelivery = "finished-before-delivery"
    case finishedUnverified = "finished-unverified"
    case stuckTransaction = "stuck-transaction"
    case illegalFinish = "illegal-finish"
    case unansweredRequest = "unanswered-request"
    case answeredTwice = "answered-twice"
    case wrongAnswer = "wrong-answer"
    case restoreIncomplete = "restore-incomplete"
    case restoreOverreach = "restore-overreach"
    case restoreUnreported = "restore-unreported"
    case cancelAsError = "cancel-as-error"
    case staleEntitlement = "stale-entitlement"
    case withheldEntitlement = "withheld-entitlement"
    case unobservedLaunch = "unobserved-launch"
    case observerLeak = "observer-leak"
    case observerLeft = "observer-left"
    case mainQueueBlocked = "main-queue-blocked"
    case clientCrash = "client-crash"
    case clientExit = "client-exit"
    case clientHang = "client-hang"
    case clientMemory = "client-memory"
    case unaskedCharge = "unasked-charge"
    case askedAgain = "asked-again"
    case ignoredPromotion = "ignored-promotion"
    case unaskedRestore = "unasked-restore"
    case deafAfterBackground = "deaf-after-background"
    case deafListener = "deaf-listener"
    case clientLivelock = "client-livelock"
    case leftItsQueue = "left-its-queue"

    /// How grave a breach can be, the gravest first: what is at stake decides.
    package var severities: [Severity] { [row.graver, row.severity].compactMap(\.self) }

    /// Of the gravest breach.
    package var severity: Severity { row.graver ?? row.severity }

    /// - Parameter isGraver: whether more is at stake than in any breach.
    func severity(isGraver: Bool) -> Severity { isGraver ? severity : row.severity }

    /// In the rule book, from 0.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What an app may decide for itself: a scenario may tolerate a breach.
    package static let tolerable = allCases.filter(\.isTolerable)

    /// Whether a breach can be a violation.
    package var isViolation: Bool { severities.contains { $0.isViolation } }

    /// Whether a breach can be a warning.
    package var isWarning: Bool { severities.contains(.warning) }

    /// Whether a violation is reported at the instant of the app's mistake;
    /// other violations are noticed later, or last.
    package var isOfAnAct: Bool { row.isOfAnAct }

    /// Whether the app ended by its own doing.
    package var isOfDeath: Bool {
        switch self {
        case .clientCrash, .clientExit, .clientHang, .clientMemory: true
        default: false
        }
    }

    /// Whether a scenario may leave it to the app.
    package var isTolerable: Bool { row.isTolerable }

    /// What a breach is, in one sentence.
    package var breach: String { row.breach }

    /// What is said of a rule.
    private struct Row {
        let severity: Severity
        /// Where more is at stake.
        var graver: Severity?
        let isOfAnAct: Bool
        let isTolerable: Bool
        let breach: String

        init(_ severity: Severity, _ breach: String) {
            self.init(severity: severity, isOfAnAct: false, isTolerable: false, breach: breach)
        }

        private init(severity: Severity, isOfAnAct: Bool, isTolerable: Bool, breach: String) {
            self.severity = severity
            self.isOfAnAct = isOfAnAct
            self.isTolerable = isTolerable
            self.breach = breach
        }

        static func act(
            _ severity: Severity, or graver: Severity? = nil, tolerable: Bool = false, _ breach: String
        ) -> Row {
            var row = Row(severity: severity, isOfAnAct: true, isTolerable: tolerable, breach: breach)
            row.graver = graver
            return row
        }
    }

    private var row: Row {
        switch self {
        case .lostPurchase:
            Row(.critical, "a purchase was charged, but the app does not hold its goods after the final relaunch")
        case .duplicateDelivery: Row(.critical, "the app holds more goods than were charged")
        case .unpaidDelivery: Row(.critical, "the app holds goods that were never charged")
        case .wrongProduct:
            Row(.critical, "the app granted goods of another product or quantity than the transaction's")
        case .unverifiedDelivery:
            .act(.critical, "the app granted goods for a purchase that StoreKit 2 could not verify")
        case .finishedUnverified:
            .act(
                .warning, tolerable: true,
                "the app finished a transaction that StoreKit 2 could not verify, so it does not come again")
        case .finishedBeforeDelivery:
            .act(
                .error,
                "the app called finishTransaction before the goods were durable: a crash in between loses the goods")
        case .stuckTransaction: Row(.error, "a transaction is still unfinished after the final relaunch and settling")
        case .illegalFinish:
            .act(.error, "the app finished a transaction that is purchasing, or that is not on this queue")
        case .unansweredRequest: Row(.error, "the app never answered a fetch or a purchase")
        case .answeredTwice: Row(.error, "the app answered one request more than once")
        case .wrongAnswer:
            .act(.error, "the app's answer contradicts what the store did, or what StoreKit reported to the app")
        case .restoreIncomplete: Row(.error, "after a successful restore, the app does not hold a restorable product")
        case .restoreOverreach:
            Row(.error, "a restore credited a consumable, or a product that this account never bought")
        case .restoreUnreported: Row(.error, "a restore ended, but the app did not report it to the user")
        case .staleEntitlement:
            Row(
                .error,
                """
                the app still grants a product that expired before the last launch, or that was refunded or revoked with \
                the app's knowledge; or the app granted an expired product again, or, with StoreKit 2, kept a revoked one for \
                five minutes, until its launch ended
                """)
        case .withheldEntitlement:
            .act(
                .error,
                "the app took away a product that its user owns, and did not grant it again before the launch ended")
        case .cancelAsError:
            .act(.warning, tolerable: true, "the app showed a cancellation to the user as an error")
        case .unobservedLaunch:
            .act(
                .warning, or: .error,
                "no observer was on the queue when launch returned; an error if a charged purchase was unfinished")
        case .observerLeak:
            .act(.error, tolerable: true, "the app added the same observer again, so StoreKit may call it twice")
        case .observerLeft: .act(.info, "the app did not remove an observer before it was terminated")
        case .mainQueueBlocked:
            .act(.warning, "one callback blocked the device's main queue longer than the scenario allows")
        case .clientCrash: .act(.critical, "the client crashed, or made a call that raises an exception")
        case .clientExit: .act(.critical, "the client ended its own process, which an app must never do")
        case .clientHang:
            .act(.critical, "a call into the client did not return: on a phone the app would have frozen")
        case .clientMemory:
            .act(.critical, "the client used more memory than an app may: on a phone the system ends the app")
        case .unaskedCharge:
            Row(.critical, "no request of the user, no promotion and no purchase elsewhere explains a charge")
        case .askedAgain:
            .act(
                .warning,
                "the app sent a second payment for a product while the first was undecided, after one request of the user"
            )
        case .ignoredPromotion:
            .act(
                .warning, or: .error,
                """
                the app neither accepted a promoted purchase nor declined it for a reason; a warning if it uses StoreKit 2 \
                and never reads PurchaseIntent.intents
                """)
        case .unaskedRestore:
            .act(
                .warning, tolerable: true,
                "the app started a restore or a receipt refresh, with its password prompt, without a user's request")
        case .deafAfterBackground:
            .act(.error, "no observer is on the queue although the app is in the foreground again")
        case .deafListener:
            .act(
                .error,
                "the app reads Transaction.updates no more although it is in the foreground, or buys before it reads them"
            )
        case .clientLivelock:
            .act(.error, "the client did more work in a simulated second than a device can: it retries without a pause")
        case .leftItsQueue:
            .act(.info, "the client called from outside its device's queue: results are not reproducible")
        }
    }
}
