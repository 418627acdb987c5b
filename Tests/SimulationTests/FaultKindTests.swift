// The table of faults: nothing in it is said twice, and what is kept for each kind is kept apart.

import Testing

@testable import Simulation

@Suite struct FaultKindTests {
    @Test func faultNamesAreUnique() {
        let rows = FaultKind.allCases.map(\.row)
        let words = rows.compactMap(\.trial?.word)
        #expect(Set(rows.map(\.tag)).count == rows.count)
        #expect(Set(rows.map(\.key)).count == rows.count)
        #expect(Set(words).count == words.count)
    }

    @Test func messageFaultsCoverBothDirections() {
        #expect(Set(FaultKind.ofWire.map(\.wire.way)) == [.there, .back])
        #expect(FaultKind.ofWire.allSatisfy { $0.row.key == "network.\($0.keyName)" })
    }

    @Test func everyFaultKindHasItsOwnCountAndCondition() {
        var conditions = LinkConditions()
        var counts = DeviceCounts()
        for (place, kind) in FaultKind.allCases.enumerated() {
            conditions[kind] = .percent(Double(place + 1))
            if kind == .crash { counts.crashes = 1 }
            for _ in 0...place where kind != .crash { counts.note(kind) }
        }
        for (place, kind) in FaultKind.allCases.enumerated() {
            #expect(conditions[kind] == .percent(Double(place + 1)))
            #expect(counts[kind] == place + 1)
        }
        #expect(counts != DeviceCounts() && conditions != LinkConditions())
    }

    // A crash that the client brings about is not made to happen.
    @Test func exceptionsAreNotCountedAsInjectedCrashes() {
        var counts = DeviceCounts()
        (counts.crashes, counts.exceptions) = (3, 2)
        #expect(counts[.crash] == 1)
    }

    @Test func sweepPlaceAllowsOnlyItsMishaps() {
        let message = MishapPlace(
            kind: .message(.store(.sync(wantsRecord: false))), number: 4, at: .start, device: 1, eventCount: 0)
        let effect = MishapPlace(kind: .effect(.finish), number: 4, at: .start, device: 1, eventCount: 0)
        #expect(effect.mishaps == [Mishap(.crash, 4)])
        #expect(message.mishaps.map(\.kind) == FaultKind.placed(at: .message))
        #expect(message.mishaps.allSatisfy { message.allows($0) && !effect.allows($0) })
        #expect(!message.allows(Mishap(.lostAnswer, 3)))
    }
}
