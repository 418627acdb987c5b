// How far something has come, as lines of a terminal, of a log, and as JSON.
// Pure; any thread.

import Foundation
import Text

enum ProgressLayout {
    /// A bar is no shorter than this.
    private static let barMin = 8
    private static let barMax = 40
    /// Entries of the load that have lines of their own.
    private static let entriesMax = 8

    // MARK: A terminal

    /// The first line, and one for each entry of the load where there are several; none is longer than `width`.
    static func lines(_ progress: RunProgress, width: Int) -> [String] {
        let shown = progress.entries.count > 1 ? progress.entries.prefix(entriesMax) : []
        let names = min(width / 3, shown.map { TextLayout.safe($0.name).count }.max() ?? 0)
        var lines = [line(progress, width: width)]
        for entry in shown {
            let fraction = Double(entry.done) / Double(max(1, entry.total))
            let name = TextLayout.padded(String(TextLayout.safe(entry.name).prefix(names)), to: names)
            let count = "\(HumanNumbers.count(entry.done))/\(HumanNumbers.count(entry.total)) done"
            lines.append(fitted("  \(name) ", fraction, [percent(fraction), count], width, between: "  "))
        }
        let left = progress.entries.count - entriesMax
        if left > 0 { lines.append(String("  … and \(HumanNumbers.count(left)) more".prefix(width))) }
        return lines
    }

    private static func line(_ progress: RunProgress, width: Int) -> String {
        let fraction = progress.fraction.map(clamped)
        let layouts: [(fields: [String], between: String)] = [
            ([fraction.map(percent)].compactMap(\.self) + fields(progress, .full), "  "),
            (fields(progress, .short), "  "), (fields(progress, .shortest), " "),
        ]
        let room = width - (fraction == nil ? 0 : barMin + 2)
        let chosen = layouts.first { layout in
            layout.fields.reduce(0) { $0 + $1.count + layout.between.count } <= room
        }
        let last = layouts[layouts.count - 1]
        return fitted("", fraction, chosen?.fields ?? last.fields, width, between: chosen?.between ?? last.between)
    }

    /// Whole fields only, the most important first, as many as fit; the bar takes what is left.
    private static func fitted(
        _ start: String, _ fraction: Double?, _ fields: [String], _ width: Int, between: String
    ) -> String {
        var room = width - start.count - (fraction == nil ? 0 : barMin + 2)
        var text = ""
        for field in fields {
            // Nothing stands before the first where there is no bar.
            let next = (text.isEmpty && fraction == nil ? "" : between) + field
            guard next.count <= room else { break }
            text += next
            room -= next.count
        }
        guard let fraction else { return String((start + text).prefix(width)) }
        return start + bar(fraction, min(barMax, barMin + max(0, room))) + text
    }

    private static func clamped(_ fraction: Double) -> Double { fraction.isFinite ? min(1, max(0, fraction)) : 0 }

    private static func percent(_ fraction: Double) -> String {
        TextLayout.paddedLeft("\(Int(clamped(fraction) * 100))%", to: 4)
    }

    private static func bar(_ fraction: Double, _ width: Int) -> String {
        let full = Int(clamped(fraction) * Double(width))
        return "[" + String(repeating: "█", count: full) + String(repeating: "░", count: width - full) + "]"
    }

    // MARK: Fields

    /// How much of a number is shown.
    private enum Extent { case full, short, shortest }

    /// The most important first.
    private static func fields(_ progress: RunProgress, _ extent: Extent) -> [String] {
        func number(_ value: Int) -> String {
            extent == .full ? HumanNumbers.count(value) : HumanNumbers.short(value)
        }
        func counted(_ value: Int, _ one: String, _ more: String? = nil) -> String {
            "\(number(value)) \(value == 1 ? one : more ?? one + "s")"
        }
        var fields = [time(progress)]
        if let active = progress.active {
            fields.append("\(number(active)) \(progress.waitLeft.map { wait($0, extent) } ?? "active")")
        }
        let total = extent == .shortest ? nil : progress.total
        let noun = progress.active == nil && (extent == .full || progress.unit != "users") ? progress.unit : "done"
        fields.append("\(number(progress.done))\(total.map { "/\(number($0))" } ?? "") \(noun)")
        let found = progress.violations.map { count in
            extent != .full && progress.purchases != nil
                ? "\(number(count)) viol." : counted(count, progress.violationIsCalled)
        }
        if let found, progress.violations ?? 0 > 0 { fields.append(found) }
        if let rate = rate(progress) {
            let text = extent == .full || rate < 1_000 ? HumanNumbers.number(rate) : HumanNumbers.short(Int(rate))
            fields.append("\(text)\(extent == .full ? rateUnit(progress) : "")/s")
        }
        if let found, progress.violations == 0 { fields.append(found) }
        if let p95 = progress.p95PurchaseNanoseconds {
            fields.append("p95 \(HumanNumbers.duration(nanoseconds: p95))")
        }
        if progress.crashes > 0 { fields.append(counted(progress.crashes, "crash", "crashes")) }
        if let left = timeLeft(progress) { fields.append("\(left) left") }
        return fields
    }

    /// Of users who wait: for what, and for how long.
    private static func wait(_ left: Int64, _ extent: Extent) -> String {
        let time = HumanNumbers.roundDuration(nanoseconds: left / 1_000_000_000 * 1_000_000_000)
        return extent == .full ? "wait for the app's answer, at most \(time)" : "wait, max \(time)"
    }

    /// `5s/12s`
    private static func time(_ progress: RunProgress) -> String {
        func text(_ seconds: Double) -> String {
            HumanNumbers.roundDuration(nanoseconds: Int64(max(0, min(seconds, 1e9))) * 1_000_000_000)
        }
        return text(progress.elapsedSeconds) + (progress.totalSeconds.map { "/" + text($0.rounded(.up)) } ?? "")
    }

    /// Of purchases, or of what is counted.
    private static func rate(_ progress: RunProgress) -> Double? {
        if let rate = progress.rate { return rate.isFinite ? min(rate, 1e15) : nil }
        guard progress.elapsedSeconds > 0, let purchases = progress.purchases else { return nil }
        return Double(purchases) / progress.elapsedSeconds
    }

    private static func rateUnit(_ progress: RunProgress) -> String {
        progress.rate == nil ? " purchases" : " \(progress.unit)"
    }

    /// Nil while there is nothing to judge by, and where the plan says how long it takes.
    private static func timeLeft(_ progress: RunProgress) -> String? {
        guard progress.totalSeconds == nil, progress.waitLeft == nil, let fraction = progress.fraction.map(clamped),
            fraction >= 0.01, fraction < 1
        else { return nil }
        let elapsed = progress.stageSeconds ?? progress.elapsedSeconds
        if elapsed < 0.5 { return nil }
        let seconds = (elapsed / fraction - elapsed).rounded(.up)
        return HumanNumbers.duration(nanoseconds: seconds * 1e9)
    }

    // MARK: Logs

    /// `progress 42%  5s/12s  4,200/10,000 users …`, on one line.
    static func plain(_ progress: RunProgress) -> String {
        (["progress" + (progress.fraction.map { percent($0) } ?? "")] + fields(progress, .full)).joined(separator: "  ")
    }

    /// An object on one line, its keys sorted and in snake case; what is not known is absent.
    static func json(_ progress: RunProgress, isLast: Bool) -> String {
        struct Line: Encodable {
            struct Entry: Encodable { let name: String, done: Int, total: Int }

            let elapsedSeconds: Double
            let totalSeconds: Double?
            let fraction: Double?
            let unit: String
            let done: Int
            let total: Int?
            let active: Int?
            let waitLeftSeconds: Double?
            let purchases: Int?
            let perSecond: Double?
            let violations: Int?
            let crashes: Int
            let purchaseP95Ns: Int64?
            let entries: [Entry]
            let isLast: Bool
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func thousandths(_ value: Double) -> Double { value.isFinite ? (value * 1_000).rounded() / 1_000 : 0 }
        let line = Line(
            elapsedSeconds: thousandths(progress.elapsedSeconds), totalSeconds: progress.totalSeconds.map(thousandths),
            fraction: progress.fraction.map { thousandths(clamped($0)) }, unit: progress.unit, done: progress.done,
            total: progress.total, active: progress.active,
            waitLeftSeconds: progress.waitLeft.map { thousandths(Double($0) / 1e9) }, purchases: progress.purchases,
            perSecond: rate(progress).map(thousandths), violations: progress.violations, crashes: progress.crashes,
            purchaseP95Ns: progress.p95PurchaseNanoseconds,
            entries: progress.entries.map { Line.Entry(name: $0.name, done: $0.done, total: $0.total) }, isLast: isLast)
        guard let data = try? encoder.encode(line) else { preconditionFailure("numbers and names are JSON") }
        return String(decoding: data, as: UTF8.self)
    }
}
