// What tasks of an app that has ended hold is let go of, and nothing that they still do counts.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

/// Something that a task holds.
private final class Held: Sendable {
    let noted: Notes<String>
    init(_ noted: Notes<String>) { self.noted = noted }
    deinit { noted.values.append("freed") }
}

@Suite(.beginsTasks) struct EndedTasksTests {
    private let bench: TestDevice
    private let noted = Notes<String>()

    init() {
        bench = TestDevice { $0.buyers.decideAfter = .span(.minutes(5)) }
        bench.launchWithoutObserver()
    }

    private func startHolding(_ body: @escaping @Sendable (Notes<String>) async throws -> Void) {
        let held = Held(noted)
        bench.start {
            do {
                try await body(held.noted)
                held.noted.values.append("returned")
            } catch {
                held.noted.values.append("\(type(of: error))")
            }
            withExtendedLifetime(held) {}
        }
        bench.run(for: .seconds(2))
    }

    private func end() {
        bench.device.terminate()
        #expect(noted.values.isEmpty)
        bench.launchWithoutObserver()
    }

    @Test func readerOfUpdatesEnds() {
        startHolding { _ in for await _ in Transaction.updates {} }
        end()
        #expect(noted.values == ["returned", "freed"])
    }

    @Test func purchaseThatIsUnderWayIsCancelled() {
        startHolding { _ in _ = try await TestDevice.purchase(Goods.coins) }
        end()
        #expect(noted.values == ["CancellationError", "freed"])
        bench.run(for: .hours(1))
        #expect(bench.device.events.filter { if case .finishCalled = $0.event { true } else { false } }.isEmpty)
    }

    @Test func laterCallsOfTheTaskAreAnsweredWithNothing() {
        startHolding { noted in
            for await _ in Transaction.updates {}
            for await _ in Transaction.all { noted.values.append("a transaction") }
            _ = try await Product.products(for: [Goods.coins])
        }
        end()
        #expect(noted.values == ["CancellationError", "freed"])
    }

    // S73: what an ended app reads is not what the next one knows.
    @Test func lastReadingOfEntitlementsIsNotNoted() throws {
        let bench = launched { $0.delivery.verification.fails = .all }
        _ = try bench.purchase(Goods.hat)
        bench.start {
            for await _ in Transaction.currentEntitlements {}
            for await _ in Transaction.updates {}
            for await _ in Transaction.currentEntitlements {}
        }
        bench.run(for: .seconds(2))
        bench.device.terminate()
        bench.launchWithoutObserver()
        let noted = bench.device.events.compactMap { record -> Bool? in
            if case .entitlementsRead(let areVerified, _) = record.event { areVerified } else { nil }
        }
        #expect(noted == [false])
    }

    @Test(arguments: [Data.WritingOptions.atomic, []])
    func lastWritesOfTheTaskAreLost(_ options: Data.WritingOptions) throws {
        startHolding { _ in
            for await _ in Transaction.updates {}
            try Data("late".utf8).write(to: Self.file, options: options)
        }
        end()
        #expect(try !bench.value { FileManager.default.fileExists(atPath: Self.file.path) })
    }

    /// Of the device on which the caller runs.
    private static var file: URL { URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("late.txt") }

    @Test func taskThatNeverGivesUpIsLeftWhereItIs() {
        startHolding { noted in
            for await _ in Transaction.updates {}
            while true { _ = try? await Product.products(for: [Goods.coins]) }
        }
        end()
        #expect(noted.values.isEmpty)
        // The next launch works.
        #expect((try? bench.products { Transaction.all }) == [])
    }
}
