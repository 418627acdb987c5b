// What is left of a timeline that is too long.

import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ShortTimelineTests {
    /// Numbers of entries; a gap as the negative of how many it hides.
    private func shown(_ length: Int, about keys: Set<Int> = [], count: Int) -> [Int] {
        let entries = (1...length).map { Report.TimelineEntry(number: $0, atNs: Int64($0), text: "") }
        return ShortTimeline(entries, about: keys.sorted(), count: count).lines.map { line in
            switch line {
            case .entry(let entry, _): entry.number
            case .gap(let hidden, _): -hidden
            case .launches(let hidden, _): -1_000 * hidden
            }
        }
    }

    // Launches of four entries each, the store's among them.
    private func folded(_ launches: Int, about keys: Set<Int>, count: Int = 100) -> [String] {
        let entries = (1...(launches * 4)).map {
            Report.TimelineEntry(number: $0, atNs: Int64($0), process: $0 % 4 == 3 ? nil : ($0 + 3) / 4, text: "")
        }
        return ShortTimeline(entries, about: keys.sorted(), count: count).lines.map { line in
            if case .entry(let entry, let isMarked) = line { return "\(entry.number)" + (isMarked ? "!" : "") }
            return line.note ?? ""
        }
    }

    @Test func shortTimelineFoldsUninvolvedLaunches() {
        #expect(
            folded(5, about: [6, 7]) == [
                "… 1 launch without a part in this …", "5", "6!", "7!", "8", "… 3 launches without a part in this …",
            ])
        #expect(folded(2, about: []).count == 8)
        #expect(folded(3, about: [1, 5, 9]).count == 12)
    }

    @Test func foldedLaunchesCountAsOneLine() {
        #expect(folded(50, about: [1, 200], count: 10).count == 9)
        let lines = folded(9, about: [2, 26, 30, 34], count: 16)
        #expect(lines.count == 16 && lines.contains("… 5 launches without a part in this …"))
    }

    @Test func timelineThatFitsIsShownWhole() {
        #expect(shown(12, count: 12) == Array(1...12))
    }

    @Test func timelineWithoutASubjectLosesItsMiddle() {
        #expect(shown(30, count: 12) == [1, 2, 3, 4, 5, -19, 25, 26, 27, 28, 29, 30])
    }

    @Test func shortTimelineKeepsTheSubjectsLines() {
        #expect(
            shown(60, about: [20, 21, 40], count: 16) == [1, 2, 3, 4, 5, -13, 19, 20, 21, -18, 40, -16, 57, 58, 59, 60])
    }

    // How it began and how it ended says more than what lies between.
    @Test func longTimelineKeepsItsFirstAndLastLine() {
        let lines = shown(100, about: Set(stride(from: 10, through: 90, by: 10)), count: 16)
        #expect(lines == [1, -8] + (1...9).flatMap { [$0 * 10, -9] } + [100])
    }

    @Test(arguments: [12, 25, 120])
    func shortTimelineKeepsToItsLineLimit(count: Int) {
        for length in [count, count + 1, 500] {
            let lines = shown(length, about: Set(stride(from: 1, through: length, by: 7)), count: count)
            // What it is about may take more room.
            #expect(lines.count <= count * 8 / 5)
            #expect(lines.reduce(0) { $0 + ($1 < 0 ? -$1 : 1) } == length)
        }
    }
}
