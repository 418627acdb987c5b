// Findings that a team has accepted for a while.
// Plain values; any thread.

package import Text

/// A finding that a team knows of, why it lives with it, and until when.
package struct KnownFinding: Sendable, Equatable {
    /// As swarms name it, such as `lost-purchase-3f2a`.
    package let finding: String
    package let reason: String
    /// The last day on which it is accepted.
    package let until: CalendarDay
    /// Where it stands in its file.
    package let position: SourcePosition
}

/// A day of the Gregorian calendar, without a time zone.
package struct CalendarDay: Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `2026-12-31`
    package var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)-\(two(month))-\(two(day))"
    }

    /// Nil unless it is a day that there is, written as above.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month),
            (1...Self.days(of: month, year)).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
