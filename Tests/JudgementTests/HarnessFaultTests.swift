// What only the simulation itself can do wrong is never blamed on the client.

import Judgement
import Reporting
import Testing

@testable import Simulation

@Suite struct HarnessFaultTests {
    private static let sound = Story { story in
        story.launch()
        story.buy(Story.lives)
        story.buy(Story.maps)
        story.end()
    }

    private static let first = sound.statement.transactions[0].id
    private static let second = sound.statement.transactions[1].id

    struct FaultCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: HarnessFault
        let spoil: @Sendable (inout Story) -> Void
    }

    static let cases: [FaultCase] = [
        FaultCase(testDescription: "charge without transaction", expected: .chargeWithoutTransaction(first)) {
            $0.statement.transactions.removeFirst()
        },
        FaultCase(testDescription: "transaction without charge", expected: .transactionWithoutCharge(second)) {
            $0.statement.charges.removeLast()
        },
        FaultCase(testDescription: "charged twice", expected: .chargedMoreThanOnce(first, times: 2)) {
            $0.statement.charges.insert($0.statement.charges[0], at: 1)
        },
        FaultCase(testDescription: "identifier twice", expected: .identifierTwice(first)) {
            $0.statement.transactions.insert($0.statement.transactions[0], at: 1)
        },
        FaultCase(testDescription: "finished and redelivered", expected: .finishedAndRedelivered(first)) {
            let finished = $0.statement.transactions[0].finishedAt ?? .start
            $0.note(.admitted(.init(first, product: Story.lives, asOf: finished + Span(nanoseconds: 1))))
        },
        FaultCase(
            testDescription: "illegal transition",
            expected: .illegalTransition(handle: 1, from: .purchased, to: .failed)
        ) {
            $0.note(.delivered(.init(first, handle: 1, payment: nil, product: Story.lives, state: .failed)))
            $0.note(.finishCalled(.init(nil, handle: 1, payment: nil, product: nil, state: .failed)))
        },
        FaultCase(testDescription: "effect of a dead process", expected: .effectOfDeadProcess(1, .storageWrite)) {
            $0.note(.stored(count: 1), process: 1)
        },
        FaultCase(
            testDescription: "time went back",
            expected: .timeWentBack(from: Instant(nanoseconds: 9), to: Instant(nanoseconds: 8))
        ) {
            $0.events.insert(EventRecord(at: Instant(nanoseconds: 8), process: 1, .foregrounded), at: 0)
            $0.events.insert(EventRecord(at: Instant(nanoseconds: 9), process: 1, .backgrounded), at: 0)
        },
    ]

    /// Which invariant a fault is of: a new one does not compile before it stands here.
    private enum Invariant: CaseIterable {
        case chargeHasTransaction, transactionHasCharge, chargedOnce, identifierOnce, finishedStaysFinished,
            legalTransition, deadProcessHasNoEffect, timeGoesOn

        init(_ fault: HarnessFault) {
            switch fault {
            case .chargeWithoutTransaction: self = .chargeHasTransaction
            case .transactionWithoutCharge: self = .transactionHasCharge
            case .chargedMoreThanOnce: self = .chargedOnce
            case .identifierTwice: self = .identifierOnce
            case .finishedAndRedelivered: self = .finishedStaysFinished
            case .illegalTransition: self = .legalTransition
            case .effectOfDeadProcess: self = .deadProcessHasNoEffect
            case .timeWentBack: self = .timeGoesOn
            }
        }
    }

    @Test func everyInvariantIsBrokenByACase() {
        #expect(Set(Self.cases.map { Invariant($0.expected) }) == Set(Invariant.allCases))
    }

    @Test func soundStoryHasNoFault() { #expect(Self.sound.findings == AuditFindings()) }

    @Test(arguments: cases)
    func auditNamesABrokenInvariant(item: FaultCase) {
        var story = Self.sound
        item.spoil(&story)
        let faults = story.findings.faults
        #expect(faults.contains(item.expected), "\(faults)")
        #expect(!item.expected.sentence.isEmpty)
    }

    // Answers of the store may overtake each other: what it said before it had heard of the finish is no fault.
    @Test func redeliveryDecidedBeforeTheFinishIsNoFault() {
        var story = Self.sound
        let finished = story.statement.transactions[0].finishedAt ?? .start
        story.note(.admitted(.init(Self.first, product: Story.lives, asOf: finished)))
        #expect(story.findings == AuditFindings())
    }

    @Test(arguments: [
        (TransactionState.purchasing, TransactionState.purchased), (.purchasing, .failed), (.purchasing, .deferred),
        (.deferred, .purchased), (.deferred, .failed), (.purchased, .purchased), (.failed, .failed),
    ])
    func legalTransitionsAreNoFault(from: TransactionState, to: TransactionState) {
        let story = Story { story in
            story.launch()
            for state in [from, to] {
                story.note(.delivered(.init(nil, handle: 1, payment: nil, product: Story.lives, state: state)))
            }
        }
        #expect(story.findings.faults.isEmpty)
    }

    @Test(arguments: [
        (TransactionState.purchased, TransactionState.purchasing), (.failed, .purchased), (.restored, .purchased),
        (.deferred, .purchasing), (.purchased, .deferred),
    ])
    func illegalTransitionsAreAFault(from: TransactionState, to: TransactionState) {
        let story = Story { story in
            story.launch()
            for state in [from, to] {
                story.note(.delivered(.init(nil, handle: 1, payment: nil, product: Story.lives, state: state)))
            }
        }
        #expect(story.findings.faults == [.illegalTransition(handle: 1, from: from, to: to)])
    }

    // The books of purchases made before the run are in order too, in whatever order they stand.
    @Test func chargesInAnotherOrderAreNoFault() {
        var story = Self.sound
        story.statement.charges.reverse()
        #expect(story.findings == AuditFindings())
    }

    private static let transaction = DeviceEvent.TransactionNote(
        first, handle: 99, payment: nil, product: Story.lives, state: .purchased)

    @Test(
        arguments: [
            (.paymentAdded(.init(99, product: Story.lives, quantity: 1)), .storeKitCall),
            (.finishCalled(transaction), .finish), (.restoreCalled, .storeKitCall),
            (.productsStarted(request: 99, asked: nil), .storeKitCall),
            (.receiptRefreshStarted(request: 99), .storeKitCall), (.foreignFinish, .finish),
            (.answered(.init(.purchased, to: .purchase, 99)), .answer), (.observerAdded(times: 1), .storeKitCall),
            (.stored(count: 1), .storageWrite), (.posted(.init(effect: 99)), .httpRequest),
            (.postAnswered(.init(effect: 99), .status(200, bytes: 2)), .httpRequest),
        ] as [(DeviceEvent, Effect)])
    func everyEffectOfADeadProcessIsAFault(event: DeviceEvent, effect: Effect) {
        let story = Story { story in
            story.launch()
            story.crash()
            story.launch()
            story.note(event, process: 1)
        }
        #expect(story.findings.faults == [.effectOfDeadProcess(1, effect)])
    }
}
