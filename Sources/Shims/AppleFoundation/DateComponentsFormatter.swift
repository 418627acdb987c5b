// Writes how long a subscription lasts, or how much time is left, in words.
// Linux's Foundation has only the class's name.
// Confined to the code that made it, as formatters are.

public import Foundation

/// Writes durations in English, whatever the locale.
open class DateComponentsFormatter: Formatter {
    public enum UnitsStyle: Int, Sendable {
        /// 1:06:07
        case positional
        /// 1h 6m 7s
        case abbreviated
        /// 1 hr, 6 min, 7 sec
        case short
        /// 1 hour, 6 minutes, 7 seconds
        case full
        /// one hour, six minutes, seven seconds
        case spellOut
        /// 1hr 6min 7sec
        case brief
    }

    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    open var unitsStyle = UnitsStyle.positional
    /// The units to write; empty allows all units.
    open var allowedUnits: NSCalendar.Unit = []
    open var zeroFormattingBehavior: ZeroFormattingBehavior = .default
    open var calendar: Calendar? = .current
    /// How many units to write at most; zero sets no limit.
    open var maximumUnitCount = 0
    open var includesApproximationPhrase = false
    open var includesTimeRemainingPhrase = false
    /// Stored without effect: as on Apple's systems, the text is the same in every context.
    open var formattingContext: Context = .unknown

    /// Writes the components as they are if all their units are allowed; otherwise their duration in the allowed units.
    open func string(from components: DateComponents) -> String? {
        let given = DurationUnit.allCases.filter { ($0.value(in: components) ?? 0) != 0 }
        if given.allSatisfy(units.contains) { return text(components) }
        let start = Date(timeIntervalSinceReferenceDate: 0)
        return (calendar ?? .current).date(byAdding: components, to: start).flatMap { string(from: start, to: $0) }
    }

    open func string(from startDate: Date, to endDate: Date) -> String? {
        let wanted = Set(units.map(\.component))
        return text((calendar ?? .current).dateComponents(wanted, from: startDate, to: endDate))
    }

    open func string(from ti: TimeInterval) -> String? {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        return string(from: start, to: start.addingTimeInterval(ti))
    }

    open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    open override func string(for obj: Any) -> String? { (obj as? DateComponents).flatMap(string(from:)) }

    /// The allowed units, the largest first.
    private var units: [DurationUnit] {
        let allowed = DurationUnit.allCases.filter { allowedUnits.contains($0.flag) }
        return allowed.isEmpty ? DurationUnit.allCases : allowed
    }

    private func text(_ components: DateComponents) -> String? {
        var parts = units.map { DurationPart(unit: $0, value: $0.value(in: components) ?? 0) }
        dropZeros(&parts)
        if maximumUnitCount > 0 { parts = Array(parts.prefix(maximumUnitCount)) }
        var text = unitsStyle == .positional ? positional(parts) : listed(parts)
        if includesApproximationPhrase { text = "About " + text }
        if includesTimeRemainingPhrase { text += " remaining" }
        return text
    }

    /// Drops zero parts, but always keeps at least one part.
    private func dropZeros(_ parts: inout [DurationPart]) {
        var dropped = zeroFormattingBehavior
        if dropped.contains(.default) { dropped.formUnion(unitsStyle == .positional ? .dropLeading : .dropAll) }
        // A clock shows minutes, however short the time is.
        let least = unitsStyle == .positional ? min(2, parts.count) : 1
        if dropped.contains(.dropLeading) { while parts.count > least, parts[0].value == 0 { parts.removeFirst() } }
        if dropped.contains(.dropTrailing) { while parts.count > 1, parts.last?.value == 0 { parts.removeLast() } }
        guard dropped.contains(.dropMiddle), let first = parts.first, let last = parts.last, parts.count > 2 else {
            return
        }
        parts = [first] + parts.dropFirst().dropLast().filter { $0.value != 0 } + [last]
    }

    private func listed(_ parts: [DurationPart]) -> String {
        let separator = unitsStyle == .abbreviated || unitsStyle == .brief ? " " : ", "
        return parts.map { $0.text(unitsStyle) }.joined(separator: separator)
    }

    private func positional(_ parts: [DurationPart]) -> String {
        let days = parts.filter { !$0.unit.isOnClock }.map { $0.text(.abbreviated) }
        let clock = parts.filter(\.unit.isOnClock).enumerated().map { place, part in
            let isPadded = place > 0 || zeroFormattingBehavior.contains(.pad)
            return isPadded && (0..<10).contains(part.value) ? "0\(part.value)" : "\(part.value)"
        }
        return (days + (clock.isEmpty ? [] : [clock.joined(separator: ":")])).joined(separator: " ")
    }
}
