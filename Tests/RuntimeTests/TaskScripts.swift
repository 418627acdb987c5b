// Tasks, actors, streams and sleep, where Swift determines the order.

import Foundation
import RuntimePrograms

private actor VisitRecord {
    private var visits: [String] = []

    /// Lets others in while it waits.
    func serve(_ name: String, for duration: Duration?) async -> Int {
        visits.append("\(name) in")
        if let duration { try? await Task.sleep(for: duration) }
        visits.append("\(name) out")
        return visits.count
    }

    func note(_ text: String) { visits.append(text) }
    var all: [String] { visits }
}

private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "of an actor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor QueueActor {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func isOnItsQueue() -> Bool {
        dispatchPrecondition(condition: .onQueue(executor.queue))
        return true
    }
}

private func assumeMainActor() { MainActor.assumeIsolated {} }

private enum Names {
    @TaskLocal static var name = "nobody"
}

private struct Refused: Error {}

extension Script {
    /// One whose body is a task.
    private static func task(_ description: String, _ body: @escaping @Sendable (Log) async -> Void) -> Script {
        Script(description) { log in
            Task {
                await body(log)
                log.end()
            }
        }
    }

    static let tasks: [Script] = ordered + ended + streamed + placed

    private static let ordered: [Script] = [
        task("what a task makes runs in the order of awaits") { log in
            let first = Task { log.add("first") }
            await first.value
            let second = Task.detached { log.add("second") }
            await second.value
        },
        task("an actor lets others in while it waits") { log in
            let record = VisitRecord()
            async let slow = record.serve("slow", for: .milliseconds(60))
            try? await Task.sleep(for: .milliseconds(20))
            let quick = await record.serve("quick", for: nil)
            log.add("quick \(quick), slow \(await slow)")
            for visit in await record.all { log.add(visit) }
        },
        task("calls of one task on an actor keep their order") { log in
            let record = VisitRecord()
            for number in 1...20 { await record.note("\(number)") }
            log.add(await record.all.joined(separator: " "))
        },
        task("an actor runs one at a time") { log in
            let record = VisitRecord()
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...50 { group.addTask { await record.note("note") } }
            }
            log.add("\(await record.all.count)")
        },
        task("sleepers wake in the order of their times") { log in
            await withTaskGroup(of: Int.self) { group in
                for time in [90, 30, 60] {
                    group.addTask {
                        try? await Task.sleep(nanoseconds: UInt64(time) * 1_000_000)
                        return time
                    }
                }
                for await time in group { log.add("\(time)") }
            }
        },
        task("every form of sleep takes its time") { log in
            let continuous = ContinuousClock(), suspending = SuspendingClock()
            let began = continuous.now, beganAwake = suspending.now
            try? await Task.sleep(for: .milliseconds(20))
            try? await Task.sleep(nanoseconds: 20_000_000)
            try? await Task.sleep(until: continuous.now + .milliseconds(20), clock: .continuous)
            try? await Task.sleep(until: suspending.now + .milliseconds(20), clock: .suspending)
            try? await continuous.sleep(for: .milliseconds(20))
            log.add("\(continuous.now - began >= .milliseconds(100))")
            log.add("\(suspending.now - beganAwake >= .milliseconds(100))")
            try? await Task.sleep(until: continuous.now - .seconds(1), clock: .continuous)
        },
        task("an asynchronous let is awaited at the end of its scope") { log in
            let record = VisitRecord()
            do { async let _ = record.note("in its scope") }
            log.add(await record.all.joined())
        },
    ]

    private static let ended: [Script] = [
        task("who is cancelled wakes at once") { log in
            let sleeper = Task {
                do { try await Task.sleep(for: .seconds(3_600)) } catch { log.add("\(error is CancellationError)") }
            }
            try? await Task.sleep(for: .milliseconds(10))
            sleeper.cancel()
            await sleeper.value
        },
        task("who is cancelled before it sleeps does not") { log in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                do { try await Task.sleep(for: .seconds(3_600)) } catch { log.add("refused") }
            }
            task.cancel()
            await task.value
        },
        task("the handler of a cancellation runs") { log in
            let task = Task {
                await withTaskCancellationHandler {
                    try? await Task.sleep(for: .seconds(3_600))
                } onCancel: {
                    log.add("cancelled")
                }
            }
            try? await Task.sleep(for: .milliseconds(10))
            task.cancel()
            await task.value
        },
        task("a group that throws cancels the others") { log in
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Task.sleep(for: .seconds(3_600)) }
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(10))
                        throw Refused()
                    }
                    for try await _ in group {}
                }
            } catch { log.add("\(error is Refused)") }
        },
        task("the first answer wins over a time limit") { log in
            let answer = await withTaskGroup(of: String?.self) { group in
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(10))
                    return "answer"
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(3_600))
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            log.add(answer ?? "too late")
        },
        task("a continuation is resumed from a queue") { log in
            let number = await withCheckedContinuation { continuation in
                DispatchQueue(label: "other").asyncAfter(deadline: .now() + 0.01) { continuation.resume(returning: 7) }
            }
            log.add("\(number)")
        },
        task("a continuation throws") { log in
            do {
                try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                    Task { continuation.resume(throwing: Refused()) }
                }
            } catch { log.add("\(error)") }
        },
    ]

    private static let streamed: [Script] = [
        task("a stream keeps its order") { log in
            let (numbers, sink) = AsyncStream<Int>.makeStream()
            let reader = Task {
                for await number in numbers { log.add("\(number)") }
                log.add("no more")
            }
            for number in 1...5 { sink.yield(number) }
            sink.finish()
            await reader.value
        },
        task("a stream is fed by a queue while it is read") { log in
            let numbers = AsyncStream<Int> { sink in
                let queue = DispatchQueue(label: "source")
                for number in 1...3 {
                    queue.asyncAfter(deadline: .now() + 0.02 * Double(number)) { sink.yield(number) }
                }
                queue.asyncAfter(deadline: .now() + 0.08) { sink.finish() }
            }
            for await number in numbers { log.add("\(number)") }
        },
        task("a stream of one element keeps the latest") { log in
            let (numbers, sink) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
            for number in 1...5 { sink.yield(number) }
            sink.finish()
            for await number in numbers { log.add("\(number)") }
        },
        task("a stream that throws") { log in
            let (numbers, sink) = AsyncThrowingStream<Int, any Error>.makeStream()
            sink.yield(1)
            sink.finish(throwing: Refused())
            do { for try await number in numbers { log.add("\(number)") } } catch { log.add("\(error)") }
        },
    ]

    private static let placed: [Script] = [
        task("values of a task are inherited by what it makes") { log in
            await Names.$name.withValue("Ada") {
                await Task { log.add(Names.name) }.value
                await Task.detached { log.add(Names.name) }.value
                async let inherited = { Names.name }()
                log.add(await inherited)
            }
            log.add(Names.name)
        },
        task("priorities are told") { log in
            await Task(priority: .high) { log.add("\(Task.currentPriority == .high)") }.value
        },
        task("the main actor is the main queue") { log in
            await MainActor.run {
                MainActor.preconditionIsolated()
                dispatchPrecondition(condition: .onQueue(.main))
                log.add("isolated")
            }
            log.add("elsewhere")
        },
        task("a block of the main queue is on the main actor") { log in
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { log.add("isolated") }
                    continuation.resume()
                }
            }
        },
        task("tasks of the main actor keep their order") { log in
            for number in 1...10 { Task { @MainActor in log.add("\(number)") } }
            try? await Task.sleep(for: .milliseconds(100))
        },
        task("an actor may have a queue of its own") { log in
            log.add("\(await QueueActor().isOnItsQueue())")
        },
    ]

    /// Code of the main actor that is elsewhere.
    static let fatalTasks: [Script] = [
        Script("assumed to be on the main actor in a task") { _ in
            Task.detached { assumeMainActor() }
        },
        Script("asserts the main actor on a queue") { _ in
            DispatchQueue(label: "other").async { MainActor.preconditionIsolated() }
        },
    ]
}
