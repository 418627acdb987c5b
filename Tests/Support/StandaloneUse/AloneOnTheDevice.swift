// The standalone device is one for the whole process, and every test target runs in that process: tests that would
// meet there take turns.

package import Testing

extension Trait where Self == AloneOnTheDevice {
    /// No other test with this trait runs at the same time, in whatever target it is.
    package static var aloneOnTheDevice: Self { AloneOnTheDevice() }
}

package struct AloneOnTheDevice: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        await Turn.shared.take()
        do {
            try await body()
        } catch {
            await Turn.shared.pass()
            throw error
        }
        await Turn.shared.pass()
    }
}

/// First come, first served.
private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
