// `buyers`: what people do when the store asks them.
// Constants; any thread.

import Simulation
import Text

extension KeySection<BuyerBehaviour> {
    static let buyers = KeySection(
        "buyers", BuyerBehaviour(),
        [
            .durations("decide_after", \.decideAfter, "Time from the payment sheet to the user's tap."),
            .share("cancel", \.cancel, "Share of payment sheets that the user cancels."),
            .share(
                "cancel_restore", \.cancelRestore, "Share of restores whose password prompt the user cancels.",
                rule: "R29"),
            .share("payments_disallowed", \.paymentsDisallowed, "Share of accounts that may not make payments."),
            .value(
                KeyFacts(
                    "ask_to_buy", KeySection<AskToBuyDraft>.askToBuy.schema, "section",
                    "Purchases that need the approval of another person.", rule: "R35"), \.askToBuy
            ) { reader, node, path in
                guard let draft = reader.read(.askToBuy, node, path) else { return nil }
                if let askToBuy = draft.sound { return askToBuy }
                reader.report(
                    node.position, "'approve' and 'decline' in \(path) sum to more than 100%",
                    hint: "the rest up to 100% is never answered")
                return nil
            },
            .section(.interrupted, \.interrupted, "Purchases that stop until the buyer fixes the account."),
            .section(.habits, \.subscriptions, "What happens to subscriptions. Times are in store time."),
            .section(.refunds, \.refunds, "Purchases that are refunded."),
        ])
}

/// What is said of Ask to Buy: approved unless told otherwise.
struct AskToBuyDraft: Sendable {
    var share = Share.none
    var approve: Share?
    var decline = Share.none
    var answerAfter = Distribution.constant(0)

    /// Nil where more than all is answered.
    var sound: AskToBuy? {
        let rest = Share(partsPerBillion: Int(Share.whole) - decline.partsPerBillion)
        let approve = approve ?? rest
        guard approve.partsPerBillion <= rest.partsPerBillion else { return nil }
        return AskToBuy(share: share, approve: approve, decline: decline, answerAfter: answerAfter)
    }
}

extension KeySection<AskToBuyDraft> {
    /// Both together never more than all.
    private static let half = KeyDrawing.shares([10, 30, 50])

    static let askToBuy = KeySection(
        "buyers.ask_to_buy", AskToBuyDraft(),
        [
            .share("share", \.share, "Share of accounts that have to ask.", required: true),
            .value(
                KeyFacts(
                    "approve", .reference("share"), "share", "Share of requests that are approved.",
                    default: "all requests that are not declined", drawing: half), \.approve
            ) { $0.share($1, $2) },
            .share(
                "decline", \.decline, "Share of requests that are declined. The rest is never answered.",
                rule: "R36", drawing: half),
            .durations(
                "answer_after", \.answerAfter, "Time from the request to its answer.", drawing: .lasting(.errand)),
        ])
}

extension KeySection<Interruption> {
    static let interrupted = KeySection(
        "buyers.interrupted", Interruption(share: .none, resolve: .all, resolveAfter: .constant(0)),
        [
            .share("share", \.share, "Share of purchases that are interrupted.", required: true, rule: "R40"),
            .share("resolve", \.resolve, "Share of interrupted purchases whose buyer fixes the account."),
            .durations(
                "resolve_after", \.resolveAfter, "Time from the interruption to the fix.", drawing: .lasting(.errand)),
        ])
}

extension KeySection<SubscriptionHabits> {
    static let habits = KeySection(
        "buyers.subscriptions", SubscriptionHabits(),
        [
            .share("cancel", \.cancel, "Share of periods in which the user turns renewal off."),
            .share(
                "billing_failure", \.billingFailure, "Share of renewals whose payment fails.", rule: "R48"),
            .share("recover", \.recover, "Share of failed renewals that are paid in the end."),
            .durations(
                "recover_after", \.recoverAfter, "Time from the failure to the payment, in store time.",
                drawing: .lasting(.calendar)),
            .share("consent", \.consent, "Share of subscribers who agree to a higher price.", rule: "R52"),
        ])
}

extension KeySection<RefundHabits> {
    static let refunds = KeySection(
        "buyers.refunds", RefundHabits(share: .none, after: .constant(0)),
        [
            .share("share", \.share, "Share of purchases that are refunded.", required: true, rule: "R49"),
            .durations("after", \.after, "Time from the purchase to the refund.", drawing: .lasting(.errand)),
        ])
}
