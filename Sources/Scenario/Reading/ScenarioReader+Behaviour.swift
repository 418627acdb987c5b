// How the store behaves where the documentation is silent, and what its buyers do.
// Part of `ScenarioReader`; confined as it is.

package import Simulation
import Text

extension ScenarioReader {
    func behaviour(_ node: SourceNode) -> StoreBehaviour {
        var behaviour = StoreBehaviour()
        guard let fields = fields(node, "store.behaviour", known: StoreBehaviour.scenarioKeys) else { return behaviour }
        set(&behaviour.callbackQueue, fields, "callback_queue")
        set(&behaviour.duplicateObserver, fields, "duplicate_observer")
        set(&behaviour.callbackAfterRemoval, fields, "callback_after_removal")
        set(&behaviour.quantityAboveTen, fields, "quantity_above_ten")
        set(&behaviour.finishDeferred, fields, "finish_deferred")
        set(&behaviour.ownedRepurchase, fields, "owned_repurchase")
        set(&behaviour.unfinishedRepurchase, fields, "unfinished_repurchase")
        set(&behaviour.cancelledRestore, fields, "cancelled_restore")
        set(&behaviour.secondRestore, fields, "second_restore")
        set(&behaviour.unheldRequest, fields, "unheld_request")
        set(&behaviour.restoreFiltersUsername, fields, "restore_filters_username")
        set(&behaviour.declinedApproval, fields, "declined_approval")
        set(&behaviour.approvalExpiresAfter, fields, "approval_expires_after")
        set(&behaviour.deferredRedelivery, fields, "deferred_redelivery")
        set(&behaviour.interruptionError, fields, "interruption_error")
        set(&behaviour.interruptionFailure, fields, "interruption_failure")
        set(&behaviour.activeSubscription, fields, "active_subscription")
        set(&behaviour.downgrade, fields, "downgrade")
        set(&behaviour.renewalOriginal, fields, "renewal_original")
        set(&behaviour.refundUpdate, fields, "refund_update")
        set(&behaviour.otherDevices, fields, "other_devices")
        set(&behaviour.usernamePersistence, fields, "username_persistence")
        return behaviour
    }

    private func set<Value: RawRepresentable & CaseIterable>(
        _ value: inout Value, _ fields: [String: SourceNode], _ key: String
    ) where Value.RawValue == String {
        guard let node = fields[key] else { return }
        value = choice(node, "store.behaviour.\(key)", called: "settings") ?? value
    }

    private func set(_ value: inout Bool, _ fields: [String: SourceNode], _ key: String) {
        if let node = fields[key] { value = bool(node, "store.behaviour.\(key)") ?? value }
    }

    private func set(_ value: inout Span, _ fields: [String: SourceNode], _ key: String) {
        if let node = fields[key] { value = span(node, "store.behaviour.\(key)", zero: .refused) ?? value }
    }

    // MARK: Buyers

    /// What the catalog's own settings say: everything asks and is approved, everything is interrupted and mended, after
    /// the moment that it takes a tester to do so.
    var standardBuyers: BuyerBehaviour {
        var buyers = BuyerBehaviour()
        guard let settings = catalog?.settings else { return buyers }
        let moment = Distribution.spans(.seconds(1), .seconds(10))
        if settings.asksToBuy {
            buyers.askToBuy = AskToBuy(share: .all, approve: .all, decline: .none, answerAfter: moment)
        }
        if settings.interruptsPurchases {
            buyers.interrupted = Interruption(share: .all, resolve: .all, resolveAfter: moment)
        }
        if settings.failsRenewals { buyers.subscriptions.billingFailure = .all }
        return buyers
    }

    func buyers(_ node: SourceNode) -> BuyerBehaviour {
        var buyers = standardBuyers
        let known = [
            "decide_after", "cancel", "cancel_restore", "payments_disallowed", "ask_to_buy", "interrupted",
            "subscriptions", "refunds",
        ]
        guard let fields = fields(node, "buyers", known: known) else { return buyers }
        if let node = fields["decide_after"], let decision = spans(node, "buyers.decide_after") {
            buyers.decideAfter = decision
        }
        read(fields, "cancel", of: "buyers") { buyers.cancel = $0 }
        read(fields, "cancel_restore", of: "buyers") { buyers.cancelRestore = $0 }
        read(fields, "payments_disallowed", of: "buyers") { buyers.paymentsDisallowed = $0 }
        if let node = fields["ask_to_buy"] { buyers.askToBuy = askToBuy(node) }
        if let node = fields["interrupted"] { buyers.interrupted = interruption(node) }
        if let node = fields["subscriptions"] { buyers.subscriptions = subscriptionHabits(node) }
        buyers.refunds = fields["refunds"].flatMap { refunds($0) }
        return buyers
    }

    private func askToBuy(_ node: SourceNode) -> AskToBuy? {
        let path = "buyers.ask_to_buy"
        let names = ["share", "approve", "decline", "answer_after"]
        guard let fields = fields(node, path, known: names, required: ["share"]) else { return nil }
        let share = fields["share"].flatMap { self.share($0, "\(path).share") }
        // Approved unless told otherwise; whoever is neither approved nor declined never hears.
        let decline = fields["decline"].map { self.share($0, "\(path).decline") } ?? Share.none
        let rest = decline.map { Share(partsPerBillion: Int(Share.whole) - $0.partsPerBillion) }
        let approve = fields["approve"].map { self.share($0, "\(path).approve") } ?? rest
        let answerAfter = fields["answer_after"].map { spans($0, "\(path).answer_after") } ?? .constant(0)
        guard let share, let decline, let approve, let answerAfter else { return nil }
        guard approve.partsPerBillion + decline.partsPerBillion <= Int(Share.whole) else {
            report(
                node.position, "'approve' and 'decline' in \(path) sum to more than 100%",
                hint: "what is left of 100% never answers")
            return nil
        }
        return AskToBuy(share: share, approve: approve, decline: decline, answerAfter: answerAfter)
    }

    private func interruption(_ node: SourceNode) -> Interruption? {
        let path = "buyers.interrupted"
        let names = ["share", "resolve", "resolve_after"]
        guard let fields = fields(node, path, known: names, required: ["share"]) else { return nil }
        let share = fields["share"].flatMap { self.share($0, "\(path).share") }
        let resolve = fields["resolve"].map { self.share($0, "\(path).resolve") } ?? Share.all
        let resolveAfter = fields["resolve_after"].map { spans($0, "\(path).resolve_after") } ?? .constant(0)
        guard let share, let resolve, let resolveAfter else { return nil }
        return Interruption(share: share, resolve: resolve, resolveAfter: resolveAfter)
    }
}

extension StoreBehaviour {
    /// What its properties are called in scenarios.
    package static let scenarioKeys = [
        "callback_queue", "duplicate_observer", "callback_after_removal", "quantity_above_ten", "finish_deferred",
        "cancelled_restore", "username_persistence", "owned_repurchase", "unfinished_repurchase",
        "restore_filters_username",
        "declined_approval", "approval_expires_after", "deferred_redelivery", "interruption_error",
        "interruption_failure", "active_subscription", "downgrade", "renewal_original", "refund_update",
        "other_devices", "second_restore", "unheld_request",
    ]
}
