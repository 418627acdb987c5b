// Did you mean: the nearest legal name to a mistyped one, and safe quoting of what was typed.
// Pure functions; any thread.

/// The candidate that a person most likely meant by `name`; nil when none is near.
///
/// Near means few slips of the keyboard (a letter missing, doubled, wrong, or swapped with its neighbour):
/// one for short names, one in three letters for longer ones, never more than three. Upper and lower case
/// count as equal. Among equally near candidates the alphabetically first wins, so that the answer does not
/// depend on the order of the candidates.
package func closestMatch(to name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(suggestionLengthMax + 1))
    guard !wanted.isEmpty, wanted.count <= suggestionLengthMax else { return nil }
    let limit = min(3, max(1, wanted.count / 3))
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
        let other = Array(candidate.lowercased().unicodeScalars)
        guard abs(other.count - wanted.count) <= limit else { continue }
        let distance = slipDistance(wanted, other)
        guard distance <= limit, distance < max(wanted.count, other.count) else { continue }
        if let found = best, (found.distance, found.candidate) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}

/// Longer names than this are no slips of any name of ours, and comparing them would take quadratic time.
private let suggestionLengthMax = 64

/// Damerau–Levenshtein distance in its restricted form: no part of a name is edited twice.
private func slipDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        for column in 0..<right.count {
            let substitution = previous[column] + (left[row] == right[column] ? 0 : 1)
            var distance = min(substitution, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                distance = min(distance, beforePrevious[column - 1] + 1)
            }
            current.append(distance)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[right.count]
}

/// User input, for use in a message: in single quotes, on one line, and no longer than 60 letters.
package func quoted(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(60) {
        shown.unicodeScalars.append(scalar.isUnsafe || scalar.properties.isWhitespace ? " " : scalar)
    }
    return text.unicodeScalars.dropFirst(60).isEmpty ? "'\(shown)'" : "'\(shown)…'"
}
