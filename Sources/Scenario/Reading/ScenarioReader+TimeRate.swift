// How fast time passes for subscriptions.
// Part of `ScenarioReader`; confined as it is.

import Simulation
import Text

extension ScenarioReader {
    /// `1h = 30d`: an hour of the run is thirty days of the store's calendar.
    func timeRate(_ node: SourceNode, _ path: String) -> SubscriptionTimeRate? {
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
                hint: "a day in store time takes from 1ns to 400 days of the run")
            return nil
        }
        return .day(Span(nanoseconds: Int64(day)))
    }

    private static let timeRateHint = "time of the run = store time"
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}
