// The rules that the audit judges by.
// Values; any thread.

package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info
    case warning
    case error
    case critical

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    /// Whether it fails a run, unless the scenario allows it. The others are told; a warning fails where the scenario or the
    /// command asks for that.
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
    case finishedBeforeDelivery = "finished-before-delivery"
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

    /// Whether a violation is told at the instant of what the app did wrong; others are noticed later, or last.
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
        case .lostPurchase: Row(.critical, "charged, and the goods are not held after the final relaunch")
        case .duplicateDelivery: Row(.critical, "more goods are held than were charged for")
        case .unpaidDelivery: Row(.critical, "goods are held that were never charged for")
        case .wrongProduct: Row(.critical, "goods of another product or quantity than the transaction's")
        case .finishedBeforeDelivery:
            .act(.error, "finishTransaction was called before the goods were durable: a crash in between loses them")
        case .stuckTransaction: Row(.error, "still unfinished after the final relaunch and settling")
        case .illegalFinish:
            .act(.error, "finishTransaction on a transaction that is purchasing, or is not on this queue")
        case .unansweredRequest: Row(.error, "a fetch or purchase whose answer never came")
        case .answeredTwice: Row(.error, "more than one answer to one request")
        case .wrongAnswer:
            .act(.error, "the answer contradicts what the store did, or what StoreKit told the app")
        case .restoreIncomplete: Row(.error, "after a successful restore, something restorable is not held")
        case .restoreOverreach:
            Row(.error, "a restore credited a consumable or something this account never bought")
        case .restoreUnreported: Row(.error, "a restore ended and the user was not told")
        case .staleEntitlement:
            Row(
                .error,
                """
                what expired before the last launch, or was refunded or revoked with the app's knowledge, is still granted; \
                or what had expired was granted again until its launch ended
                """)
        case .cancelAsError:
            .act(.warning, tolerable: true, "a cancel was shown to the user as an error")
        case .unobservedLaunch:
            .act(
                .warning, or: .error,
                "no observer was on the queue when launch returned; an error where a charged purchase was unfinished")
        case .observerLeak:
            .act(.error, tolerable: true, "the same observer was added again, and may be told of everything twice")
        case .observerLeft: .act(.info, "an observer was not removed before the app was terminated")
        case .mainQueueBlocked:
            .act(.warning, "one callback held the device's main queue longer than the scenario allows")
        case .clientCrash: .act(.critical, "the client crashed, or did what raises an exception")
        case .clientExit: .act(.critical, "the client ended the process by itself, which no app does")
        case .clientHang:
            .act(.critical, "the client did not come back from a call: on a phone the app would have frozen")
        case .clientMemory:
            .act(.critical, "the client came to hold more memory than an app may: on a phone the system ends it")
        case .unaskedCharge:
            Row(.critical, "a charge that no request of the user, no promotion and no purchase elsewhere explains")
        case .askedAgain:
            .act(.warning, "a second payment for a product while the first was undecided, and the user had asked once")
        case .ignoredPromotion:
            .act(.error, "a promoted purchase was neither taken up nor turned down for a reason")
        case .unaskedRestore:
            .act(
                .warning, tolerable: true,
                "a restore or a refresh of the receipt, with its password prompt, that nobody asked for")
        case .deafAfterBackground:
            .act(.error, "no observer is on the queue although the app is in the foreground again")
        case .clientLivelock:
            .act(.error, "more work in a simulated second than a device could do: a loop that retries without a pause")
        case .leftItsQueue:
            .act(.info, "the client called from outside its device's queue: results are not reproducible")
        }
    }
}
