// The library and the runtime, program by program: the same trace wherever the library determines it.

import ClientKit
import Dispatch
import Foundation
import RuntimePrograms
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: Script.queues + Script.waits + Script.sources + Script.tasks + Script.operations)
    func deviceTraceEqualsTheLibrarysTrace(script: Script) async {
        let here = script.traceOfDevice()
        let expected = await Script.reference(for: here) { await script.traceOfLibrary() }
        #expect(expected.last == "end")
        #expect(here == expected)
    }

    @Test(arguments: Script.main.indices)
    func deviceTraceEqualsTheMainThreadsTrace(number: Int) async throws {
        FoundationHooks.install()
        let here = Script.main[number].traceOfDevice()
        let expected = try await Script.reference(for: here) { try Script.traceOfMainThread(number) }
        #expect(expected.last == "end")
        #expect(here == expected, "\(Script.main[number])")
    }

    // What ends an app on a phone ends it here, and nothing else.
    @Test(arguments: Script.fatal + Script.fatalTasks)
    func fatalScriptEndsTheApp(script: Script) {
        let device = ProgramDevice()
        _ = device.run { script.body(Log()) }
        #expect(device.device.process == nil)
        #expect(
            device.device.events.contains {
                if case .raised(.failedAssertion) = $0.event { true } else { false }
            })
    }
}

extension Script {
    /// What the library does, asked again if it did something else: it counts in real time, and scripts on tenths of a
    /// second, which a busy machine may not keep to every time. The device's own trace is the same each time.
    static func reference(for trace: [String], _ ask: () async throws -> [String]) async rethrows -> [String] {
        var answer = try await ask()
        for _ in 1..<5 where answer != trace { answer = try await ask() }
        return answer
    }

    /// As the main thread of a program runs it.
    static func traceOfMainThread(_ number: Int) throws -> [String] {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("RuntimeTool")
        process.arguments = ["main", "\(number)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let written = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: written, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    static let fatal: [Script] = [
        Script("sync onto its own queue") { _ in
            let queue = DispatchQueue(label: "own")
            queue.async { queue.sync {} }
        },
        Script("leave without enter") { _ in DispatchGroup().leave() },
        Script("resume without suspend") { _ in DispatchQueue(label: "own").resume() },
        Script("not on the queue") { _ in dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "other"))) },
        Script("on the queue") { _ in
            let queue = DispatchQueue(label: "own")
            queue.async { dispatchPrecondition(condition: .notOnQueue(queue)) }
        },
        Script("not as a barrier") { _ in
            let queue = DispatchQueue(label: "own", attributes: .concurrent)
            queue.async { dispatchPrecondition(condition: .onQueueAsBarrier(queue)) }
        },
        Script("a semaphore freed in use") { _ in
            let semaphore = DispatchSemaphore(value: 1)
            semaphore.wait()
        },
        Script("a group freed in use") { _ in DispatchGroup().enter() },
        Script("a source freed while suspended") { _ in
            let timer = DispatchSource.makeTimerSource()
            timer.resume()
            timer.suspend()
        },
    ]
}
