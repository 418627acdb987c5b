// A long timeline cut down to what fits.
// Pure; any thread.

/// The beginning of a timeline, which says what the user wanted, its end, which says what became of it, and between
/// them what it is about.
struct ShortTimeline {
    enum Line {
        case entry(Report.TimelineEntry)
        /// So many are left out here, the first of them this one.
        case gap(Int, first: Report.TimelineEntry)
    }

    let lines: [Line]

    private static let headMax = 5
    private static let tailMin = 4

    /// - Parameters:
    ///   - about: the numbers of what it is about.
    ///   - count: how many lines there may be, gaps included.
    init(_ entries: [Report.TimelineEntry], about: [Int], count: Int) {
        precondition(count > Self.headMax + Self.tailMin, "\(count) lines for a timeline")
        guard entries.count > count else {
            lines = entries.map(Line.entry)
            return
        }
        var choice = Choice(entries.count)
        for place in 0..<Self.headMax { choice.take(place) }
        for place in (entries.count - Self.tailMin)..<entries.count { choice.take(place) }
        // Of many the first and the last: how it began, and how it ended.
        let numbers = Set(about)
        var keys = entries.indices.filter { numbers.contains(entries[$0].number) }[...]
        var isFirst = true
        while let place = isFirst ? keys.popFirst() : keys.popLast() {
            choice.take(place, within: count)
            isFirst.toggle()
        }
        for place in entries.indices.reversed() { choice.take(place, within: count) }
        lines = choice.lines(entries)
    }

    /// Which entries are shown.
    private struct Choice {
        private var isTaken: [Bool]
        /// Entries and gaps: nothing is taken yet, all is one gap.
        private var lineCount = 1

        init(_ count: Int) { isTaken = Array(repeating: false, count: count) }

        /// Unless there would be too many lines then.
        mutating func take(_ place: Int, within count: Int = .max) {
            if isTaken[place] { return }
            // It leaves a gap on each side where its neighbour is not taken, in place of the one it was in.
            let gaps = [place - 1, place + 1].count { isTaken.indices.contains($0) && !isTaken[$0] }
            guard lineCount + gaps <= count else { return }
            isTaken[place] = true
            lineCount += gaps
        }

        func lines(_ entries: [Report.TimelineEntry]) -> [Line] {
            var lines: [Line] = []
            var start: Int?
            for place in entries.indices {
                if isTaken[place] {
                    if let first = start.take() { lines.append(.gap(place - first, first: entries[first])) }
                    lines.append(.entry(entries[place]))
                } else if start == nil {
                    start = place
                }
            }
            return lines
        }
    }
}
