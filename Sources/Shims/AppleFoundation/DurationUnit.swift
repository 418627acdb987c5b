// The units of a duration, and their names in each style.
// Values; any thread.

internal import Foundation

/// The units, from the largest to the smallest.
enum DurationUnit: CaseIterable {
    case year, month, week, day, hour, minute, second

    var flag: NSCalendar.Unit {
        switch self {
        case .year: .year
        case .month: .month
        case .week: .weekOfMonth
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        }
    }

    var component: Calendar.Component {
        switch self {
        case .year: .year
        case .month: .month
        case .week: .weekOfMonth
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        }
    }

    /// Whether a clock shows the unit.
    var isOnClock: Bool { [.hour, .minute, .second].contains(self) }

    func value(in components: DateComponents) -> Int? {
        // Weeks have two names.
        self == .week ? components.weekOfMonth ?? components.weekOfYear : components.value(for: component)
    }

    /// The unit's name after a number, singular or plural.
    func name(_ style: DateComponentsFormatter.UnitsStyle, isOne: Bool) -> String {
        switch style {
        case .full, .spellOut, .positional: "\(self)" + (isOne ? "" : "s")
        case .short, .brief: short + (isOne || isOnClock ? "" : "s")
        case .abbreviated: abbreviation
        }
    }

    private var short: String {
        switch self {
        case .year: "yr"
        case .month: "mth"
        case .week: "wk"
        case .day: "day"
        case .hour: "hr"
        case .minute: "min"
        case .second: "sec"
        }
    }

    private var abbreviation: String {
        switch self {
        case .year: "y"
        case .month: "mo"
        case .week: "w"
        case .day: "d"
        case .hour: "h"
        case .minute: "m"
        case .second: "s"
        }
    }
}

/// A number of one unit.
struct DurationPart {
    let unit: DurationUnit
    let value: Int

    func text(_ style: DateComponentsFormatter.UnitsStyle) -> String {
        let name = unit.name(style, isOne: value == 1)
        switch style {
        case .abbreviated, .brief: return "\(value)\(name)"
        case .spellOut: return "\(spelled) \(name)"
        case .positional, .short, .full: return "\(value) \(name)"
        }
    }

    private var spelled: String {
        let formatter = NumberFormatter()
        formatter.locale = Locale(identifier: "en_US")
        formatter.numberStyle = .spellOut
        return formatter.string(from: NSNumber(value: value)) ?? "\(value)"
    }
}
