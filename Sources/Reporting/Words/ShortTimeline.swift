// A timeline cut down to what a reader needs, and to what fits.
// Pure; any thread.

/// Looks for goods that were not there yet are left out, and launches of the app that have no part in what it is about
/// are folded. Of the rest, where it is too long: the
/// beginning, which says what the user wanted, the end, which says what became of it, and between them what it is about.
import ReportModel

struct ShortTimeline {
    enum Line {
        /// What it is about is marked.
        case entry(Report.TimelineEntry, isMarked: Bool)
        /// So many launches are left out here, the first of their entries this one.
        case launches(Int, first: Report.TimelineEntry)
        /// So many entries are left out here, the first of them this one.
        case gap(Int, first: Report.TimelineEntry)

        /// For what is left out, what stands in its place.
        var note: String? {
            switch self {
            case .entry: nil
            case .launches(let count, _):
                "… \(HumanNumbers.count(count)) \(count == 1 ? "launch" : "launches") without a part in this …"
            case .gap(let count, _): "… \(HumanNumbers.count(count)) more in report.json …"
            }
        }
    }

    let lines: [Line]

    /// Every entry but looks for goods that were not there yet, nothing else left out.
    static func whole(_ entries: [Report.TimelineEntry]) -> [Line] {
        entries.filter { $0.kind != .nothingHeld }.map { .entry($0, isMarked: false) }
    }

    private static let headMax = 5
    private static let tailMin = 4

    /// - Parameters:
    ///   - about: the numbers of what it is about; of nothing, nothing is folded.
    ///   - count: how many lines there may be, gaps included; more, if it is about more.
    init(_ entries: [Report.TimelineEntry], about: [Int], count: Int) {
        precondition(count > Self.headMax + Self.tailMin, "\(count) lines for a timeline")
        let items = Self.folded(entries.filter { $0.kind != .nothingHeld }, Set(about))
        guard items.count > count else {
            lines = items
            return
        }
        var choice = Choice(items.count)
        for place in [0, items.count - 1] { choice.take(place) }
        // Of many the first and the last: how it began, and how it ended.
        var keys = Self.marked(items)[...]
        var isFirst = true
        while let place = isFirst ? keys.popFirst() : keys.popLast() {
            choice.take(place, within: count * 8 / 5)
            isFirst.toggle()
        }
        for place in 0..<Self.headMax { choice.take(place, within: count) }
        for place in (items.count - Self.tailMin)..<items.count { choice.take(place, within: count) }
        for place in Self.byDistance(items) { choice.take(place, within: count) }
        lines = choice.lines(items)
    }

    private static func marked(_ items: [Line]) -> [Int] {
        items.indices.filter { if case .entry(_, true) = items[$0] { true } else { false } }
    }

    /// What stands nearest to what it is about comes first, and of both sides what led to it.
    private static func byDistance(_ items: [Line]) -> [Int] {
        let marked = marked(items)
        if marked.isEmpty { return items.indices.reversed() }
        var distances = Array(repeating: items.count, count: items.count)
        for place in marked { distances[place] = 0 }
        // From the nearest before it, and from the nearest after it.
        for place in items.indices.dropFirst() { distances[place] = min(distances[place], distances[place - 1] + 1) }
        for place in items.indices.dropLast().reversed() {
            distances[place] = min(distances[place], distances[place + 1] + 1)
        }
        return items.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    }

    /// Launches that follow each other, none of them with a part in it, as one line.
    private static func folded(_ entries: [Report.TimelineEntry], _ about: Set<Int>) -> [Line] {
        var launches: [[Report.TimelineEntry]] = []
        var process: Int?
        for entry in entries {
            // What happens elsewhere happens during a launch.
            let next = entry.process ?? process
            if next == process, !launches.isEmpty {
                launches[launches.count - 1].append(entry)
            } else {
                launches.append([entry])
            }
            process = next
        }
        var lines: [Line] = []
        for launch in launches {
            guard !about.isEmpty, launch.count > 1, launch[0].process ?? 0 > 0,
                !launch.contains(where: { about.contains($0.number) })
            else {
                lines += launch.map { .entry($0, isMarked: about.contains($0.number)) }
                continue
            }
            if case .launches(let before, let first)? = lines.last {
                lines[lines.count - 1] = .launches(before + 1, first: first)
            } else {
                lines.append(.launches(1, first: launch[0]))
            }
        }
        return lines
    }

    /// Which lines are shown.
    private struct Choice {
        private var isTaken: [Bool]
        /// Lines and gaps: nothing is taken yet, all is one gap.
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

        func lines(_ items: [Line]) -> [Line] {
            var lines: [Line] = []
            for (place, item) in items.enumerated() {
                if isTaken[place] {
                    lines.append(item)
                } else if case .gap(let before, let first)? = lines.last {
                    lines[lines.count - 1] = .gap(before + 1, first: first)
                } else {
                    switch item {
                    case .entry(let first, _), .launches(_, let first), .gap(_, let first):
                        lines.append(.gap(1, first: first))
                    }
                }
            }
            return lines
        }
    }
}
