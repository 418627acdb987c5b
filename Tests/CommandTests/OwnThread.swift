// Tests that wait for processes wait on threads of their own: those that all tests share are as many as there are cores.

import Foundation
import Testing

extension Trait where Self == OwnThread {
    /// The test mostly waits, and lets others run meanwhile.
    static var mostlyWaits: Self { OwnThread() }
}

struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadForEach()) { try await body() }
    }
}

private final class ThreadForEach: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
