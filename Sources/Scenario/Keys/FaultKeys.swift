// `faults`: what is made to go wrong, and `explore`: in which order.
// Constants; any thread.

import Simulation
import Text

/// Faults while their section is read.
struct FaultsDraft: Sendable {
    var crashes: [CrashFault] = []
    var delivery = DeliveryFaults()
}

extension KeySection<FaultsDraft> {
    static let faults = KeySection(
        "faults", FaultsDraft(),
        [
            .value(
                KeyFacts(
                    "crash",
                    .choice([
                        .reference("crash"), .list(of: .reference("crash"), count: 1...ScenarioLimits.crashFaultsMax),
                    ]), "section, or a list", "When the app crashes: one kind of crash, or a list."), \.crashes
            ) { $0.crashes($1, $2) },
            .section(.delivery, \.delivery, "How the payment queue delivers transactions."),
            .section(.verification, \.delivery.verification, "Signatures of StoreKit 2 that the device cannot verify."),
        ])
}

extension KeySection<CrashFault> {
    static let crash = KeySection(
        "faults.crash", CrashFault(share: .none, moment: .anyEffect),
        [
            .share(
                "share", \.share, "Share of the moments in `at` at which the app crashes.", required: true,
                drawing: .shares([1, 3, 10, 30, 100])),
            .value(
                KeyFacts(
                    "at",
                    .choice([.string(among: CrashFault.Moment.named.map(\.word)), KeySection<Int>.effect.schema]),
                    CrashFault.Moment.named.map(\.word).joined(separator: " | ") + " | {effect: n}",
                    """
                    any_effect: just before any action that outlives the process; before_finish: just before a finish; \
                    after_charge: after a charge that the app does not know of yet; during_restore: during a restore; \
                    {effect: n}: just before the n-th effect of a launch.
                    """, required: true), \.moment
            ) { $0.crashMoment($1, $2) },
        ])
}

extension CrashFault.Moment {
    /// Those that are a word.
    static let named: [(word: String, moment: CrashFault.Moment)] = [
        ("any_effect", .anyEffect), ("before_finish", .beforeFinish), ("after_charge", .afterCharge),
        ("during_restore", .duringRestore),
    ]
}

extension KeySection<Int> {
    static let effect = KeySection(
        "faults.crash.at", 1,
        [
            .count(
                "effect", \.self, in: 1...ScenarioLimits.effectMax, "Just before this effect of a launch, from 1.",
                required: true)
        ])
}

extension KeySection<DeliveryFaults> {
    static let delivery = KeySection(
        "faults.delivery", DeliveryFaults(),
        [
            .choice("batches", \.batches, "Which transactions one call of updatedTransactions contains.", rule: "R8"),
            .choice("order", \.order, "The order in which transactions are delivered.", rule: "R8"),
            .share("duplicate", \.duplicate, "Share of transactions that are delivered a second time."),
            .value(
                KeyFacts(
                    "finish_delay", .reference("durations"), "durations",
                    """
                    Time until the queue notices a finish. Without this key, a purchase leaves the queue as soon as the \
                    store has received its finish, and a transaction that only the device knows after 20ms..200ms.
                    """, rule: "R17", drawing: .lasting(.message)), \.finishDelay
            ) { $0.spans($1, $2) },
            // A finish that always fails is told again for as long as the run waits.
            .share(
                "finish_fails", \.finishFails, "Share of finishes that fail; the transaction is delivered again.",
                rule: "R20",
                drawing: .shares([2, 10, 40])),
            .share("unanswered", \.unanswered, "Share of product requests that are never answered.", rule: "R53"),
            .durations(
                "receipt_lag", \.receiptLag, "How far the receipt lags behind the queue.", rule: "R57",
                drawing: .lasting(.message)),
        ])
}

extension KeySection<VerificationFaults> {
    static let verification = KeySection(
        "faults.verification", VerificationFaults(),
        [
            .share(
                "fails", \.fails,
                "Share of the transactions and statuses that StoreKit 2 hands over unverified; the next time it may succeed.",
                rule: "S73"),
            .choice("reason", \.reason, "Why they cannot be verified.", rule: "S73"),
            .share(
                "forged", \.forged,
                "Share of launches in which `Transaction.updates` emits a transaction that the store never made, unverified.",
                rule: "S73"),
        ])
}

extension KeySection<Exploration> {
    static let exploration = KeySection(
        "explore", Exploration(window: .zero),
        [
            .duration(
                "interleavings", \.window, "Events due within this time of each other may change places.",
                required: true, drawing: .lasting(.moment), example: "50ms")
        ])
}
