// How time passes for subscriptions, and what becomes of them.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// `1h = 30d`: an hour of the run is thirty days of the store's calendar.
    func timeRate(_ node: SourceNode) -> SubscriptionTimeRate? {
        let path = "store.time_rate"
        guard let text = text(node, path, as: "a rate such as 1h = 30d") else { return nil }
        let sides = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard sides.count == 2, !sides.contains("") else {
            expected("a rate such as 1h = 30d", node, path, hint: Self.timeRateHint)
            return nil
        }
        let run: Span
        let store: Span
        do {
            run = try ValueParser.span(sides[0], zero: .refused)
            store = try ValueParser.span(sides[1], zero: .refused)
        } catch {
            let hint = [error.hint, "a rate such as 1h = 30d is \(Self.timeRateHint)"].compactMap(\.self)
            report(node.position, error.message + Self.place(path), hint: hint.joined(separator: "; "))
            return nil
        }
        let day = Double(run.nanoseconds) * Double(Span.hours(24).nanoseconds) / Double(store.nanoseconds)
        guard day >= 1, day <= Double(ScenarioLimits.spanMax.nanoseconds) else {
            report(
                node.position, "\(quoted(text)) in \(path) is out of range",
                hint: "a day of the store takes from 1ns to 400 days of the run")
            return nil
        }
        return .day(Span(nanoseconds: Int64(day)))
    }

    private static let timeRateHint = "time of the run = time of the store"

    func subscriptions(_ node: SourceNode, _ conditions: inout StoreConditions) {
        let path = "store.subscriptions"
        guard let fields = fields(node, path, known: ["grace_period", "price_increase_at"]) else { return }
        if let node = fields["grace_period"] {
            conditions.hasGracePeriod = bool(node, "\(path).grace_period") ?? conditions.hasGracePeriod
        }
        if let node = fields["price_increase_at"], let at = span(node, "\(path).price_increase_at") {
            conditions.priceIncreaseAt = .start + at
        }
    }

    func subscriptionHabits(_ node: SourceNode) -> SubscriptionHabits {
        var habits = standardBuyers.subscriptions
        let path = "buyers.subscriptions"
        let known = ["cancel", "billing_failure", "recover", "recover_after", "consent"]
        guard let fields = fields(node, path, known: known) else { return habits }
        read(fields, "cancel", of: path) { habits.cancel = $0 }
        read(fields, "billing_failure", of: path) { habits.billingFailure = $0 }
        read(fields, "recover", of: path) { habits.recover = $0 }
        read(fields, "consent", of: path) { habits.consent = $0 }
        if let node = fields["recover_after"], let spans = spans(node, "\(path).recover_after") {
            habits.recoverAfter = spans
        }
        return habits
    }

    func refunds(_ node: SourceNode) -> RefundHabits? {
        let path = "buyers.refunds"
        guard let fields = fields(node, path, known: ["share", "after"], required: ["share"]) else { return nil }
        let share = fields["share"].flatMap { self.share($0, "\(path).share") }
        let after = fields["after"].map { spans($0, "\(path).after") } ?? .constant(0)
        guard let share, let after else { return nil }
        return RefundHabits(share: share, after: after)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}
