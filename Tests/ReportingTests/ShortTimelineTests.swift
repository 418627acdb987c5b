// What is left of a timeline that is too long.

import Testing

@testable import Reporting

@Suite struct ShortTimelineTests {
    /// Numbers of entries; a gap as the negative of how many it hides.
    private func shown(_ length: Int, about keys: Set<Int> = [], count: Int) -> [Int] {
        let entries = (1...length).map { Report.TimelineEntry(number: $0, atNs: Int64($0), text: "") }
        return ShortTimeline(entries, about: keys.sorted(), count: count).lines.map { line in
            switch line {
            case .entry(let entry): entry.number
            case .gap(let hidden, _): -hidden
            }
        }
    }

    @Test func whatFitsIsWhole() {
        #expect(shown(12, count: 12) == Array(1...12))
    }

    @Test func withoutASubjectTheMiddleIsLost() {
        #expect(shown(30, count: 12) == [1, 2, 3, 4, 5, -19, 25, 26, 27, 28, 29, 30])
    }

    @Test func whatItIsAboutStays() {
        #expect(
            shown(60, about: [20, 21, 40], count: 16) == [1, 2, 3, 4, 5, -14, 20, 21, -18, 40, -15, 56, 57, 58, 59, 60])
    }

    // How it began and how it ended says more than what lies between.
    @Test func ofTooMuchTheFirstAndTheLastStay() {
        let lines = shown(100, about: Set(stride(from: 10, through: 90, by: 10)), count: 16)
        #expect(lines == [1, 2, 3, 4, 5, -4, 10, -9, 20, -69, 90, -6, 97, 98, 99, 100])
    }

    @Test(arguments: [12, 25, 120])
    func neverMoreThanFits(count: Int) {
        for length in [count, count + 1, 500] {
            let lines = shown(length, about: Set(stride(from: 1, through: length, by: 7)), count: count)
            #expect(lines.count <= count)
            #expect(lines.reduce(0) { $0 + ($1 < 0 ? -$1 : 1) } == length)
        }
    }
}
