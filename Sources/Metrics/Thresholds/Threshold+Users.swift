// A threshold for more or fewer users than it was written for.
// Pure; any thread.

/// A threshold as its scenario has it, and for how many users.
package struct ThresholdWritten: Sendable, Equatable {
    package let expression: String
    package let users: Int

    package init(expression: String, users: Int) { (self.expression, self.users) = (expression, users) }
}

extension Threshold {
    /// Below this a lower bound says more about chance than about the app.
    private static let lowerBoundMin = 10.0

    /// The same for another number of users: a bound on how many there are changes in proportion, a lower one down to a
    /// whole number and an upper one up. With fewer users a lower bound below ten is not judged.
    ///
    /// Bounds of none, `==` and `!=` stay as they are, and so does all that does not grow with the users.
    ///
    /// - Parameter before: for how many users it was written; at least one.
    package func scaled(to users: Int, from before: Int) -> Threshold {
        guard users != before, followsUsers || users < before && metric.row.isSlopeOverUsers else { return self }
        var copy = self
        copy.written = ThresholdWritten(expression: source, users: before)
        guard followsUsers else { return copy }
        let exact = limit * Double(users) / Double(before)
        copy.limit = isLowerBound ? exact.rounded(.down) : exact.rounded(.up)
        copy.hasTooFewUsers = users < before && isLowerBound && copy.limit < Self.lowerBoundMin
        if copy.limit != limit { copy.source = "count \(comparison.rawValue) \(Int64(copy.limit))" }
        return copy
    }

    /// Whether it asks how many there are of what grows with the users.
    private var followsUsers: Bool {
        guard aggregate == .count, metric.row.growsWithUsers, limit < Self.limitMax else { return false }
        return switch comparison {
        // Below one is none, as `== 0` is.
        case .less: limit > 1
        case .lessOrEqual: limit > 0
        case .greater, .greaterOrEqual: true
        case .equal, .notEqual: false
        }
    }

    private var isLowerBound: Bool { comparison == .greater || comparison == .greaterOrEqual }

    /// Whether nothing measured means too few users.
    var needsManyUsers: Bool { written != nil && metric.row.isSlopeOverUsers }

    /// A larger one is no number of anything, and does not fit into the text of an expression.
    private static let limitMax = 1e15
}
