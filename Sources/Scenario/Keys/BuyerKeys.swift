// `buyers`: what people do when the store asks them.
// Constants; any thread.

import Simulation
import Text

extension KeySection<BuyerBehaviour> {
    static let buyers = KeySection(
        "buyers", BuyerBehaviour(),
        [
            .durations("decide_after", \.decideAfter, "From the payment sheet to the tap."),
            .share("cancel", \.cancel, "Of the payment sheets, those that are cancelled."),
            .share(
                "cancel_restore", \.cancelRestore, "Of the restores, those whose password prompt is cancelled.",
                rule: "R29"),
            .share("payments_disallowed", \.paymentsDisallowed, "Of the accounts, those that may not pay at all."),
            .value(
                KeyFacts(
                    "ask_to_buy", KeySection<AskToBuyDraft>.askToBuy.schema, "section",
                    "Purchases that somebody else has to approve.", rule: "R35"), \.askToBuy
            ) { reader, node, path in
                guard let draft = reader.read(.askToBuy, node, path) else { return nil }
                if let askToBuy = draft.sound { return askToBuy }
                reader.report(
                    node.position, "'approve' and 'decline' in \(path) sum to more than 100%",
                    hint: "what is left of 100% never answers")
                return nil
            },
            .section(.interrupted, \.interrupted, "Purchases before which the account has to be mended."),
            .section(.habits, \.subscriptions, "What becomes of subscriptions. Times are the store's."),
            .section(.refunds, \.refunds, "Purchases that are given back."),
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
            .share("share", \.share, "Of the accounts, those that have to ask.", required: true),
            .value(
                KeyFacts(
                    "approve", .reference("share"), "share", "Of the requests, those approved.",
                    default: "all that are not declined", drawing: half), \.approve
            ) { $0.share($1, $2) },
            .share(
                "decline", \.decline, "Of the requests, those declined. What is neither is never answered.",
                rule: "R36", drawing: half),
            .durations(
                "answer_after", \.answerAfter, "From the request to its answer.", drawing: .lasting(.errand)),
        ])
}

extension KeySection<Interruption> {
    static let interrupted = KeySection(
        "buyers.interrupted", Interruption(share: .none, resolve: .all, resolveAfter: .constant(0)),
        [
            .share("share", \.share, "Of the purchases, those that are interrupted.", required: true, rule: "R40"),
            .share("resolve", \.resolve, "Of these, those whose buyer mends the account."),
            .durations(
                "resolve_after", \.resolveAfter, "From the interruption to that.", drawing: .lasting(.errand)),
        ])
}

extension KeySection<SubscriptionHabits> {
    static let habits = KeySection(
        "buyers.subscriptions", SubscriptionHabits(),
        [
            .share("cancel", \.cancel, "Of the periods, those in which renewal is turned off."),
            .share(
                "billing_failure", \.billingFailure, "Of the renewals, those that cannot be paid.", rule: "R48"),
            .share("recover", \.recover, "Of these, those that are paid in the end."),
            .durations(
                "recover_after", \.recoverAfter, "From the failure to that, in the store's time.",
                drawing: .lasting(.calendar)),
            .share("consent", \.consent, "Of the members, those who agree to a higher price.", rule: "R52"),
        ])
}

extension KeySection<RefundHabits> {
    static let refunds = KeySection(
        "buyers.refunds", RefundHabits(share: .none, after: .constant(0)),
        [
            .share("share", \.share, "Of the purchases, those given back.", required: true, rule: "R49"),
            .durations("after", \.after, "From the purchase to that.", drawing: .lasting(.errand)),
        ])
}
