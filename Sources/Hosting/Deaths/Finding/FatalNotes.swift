// What threads note that client code has brought to their end under the wall clock.
// Any thread, in a signal's handler too.

import CWorkers
import Foundation
import Host
import Simulation
import Statics

package enum FatalNotes {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var words = CodeWords()  // Guard: `lock`.

    /// So many threads may stand still for ever: what has come to so many is known well enough.
    private static let strandedMax = FatalCalls.deathsStandard

    /// How many do, once they are too many; nil: they are not.
    static var crashLimit: Int? {
        let count = FatalThreads.strandedCount
        return count >= strandedMax ? count : nil
    }

    /// From here on client code that cannot go on ends its app, and nothing else. Before there are devices.
    package static func attend() {
        guard AppRuntime.isInForce else { return }
        FatalThreads.attend(
            { take() },
            onThread: {
                stampede_own_fault_stack()
                return MemoryStatistics.threadCounters().map { ThreadMemory(allocated: $0.allocated, freed: $0.freed) }
            }, onThreadEnd: { stampede_drop_fault_stack() })
        stampede_note_death(
            nil, { AppRuntime.isInClientCode }, { AppRuntime.isOnThreadOfClient },
            { place, waits in
                guard FatalThreads.isToLeave(waits: waits) else { return stampede_stays }
                return waits || ClientCode.contains(UInt(place)) ? stampede_leaves_here : stampede_leaves_elsewhere
            },
            { FatalThreads.leaveClientCode() }, { AppRuntime.isCallIntoClientCode(at: $0) })
        AppRuntime.onOwnSignal(stampede_note_signal)
    }

    /// What the process ends with when client code that was left has broken its memory: a fault comes outside of it.
    ///
    /// - Parameter text: for the standard error.
    package static func endWhenBroken(_ text: String, status: Int32) {
        stampede_end_when_broken(strdup(text), status)
    }

    /// Whether client code of the calling thread is attended to.
    package static var areTaken: Bool { FatalThreads.areAttended && AppRuntime.isInClientCode }

    /// Client code of the calling thread is about to end the process: does not come back.
    ///
    /// - Parameter call: the function's name, which lasts.
    package static func meetExit(_ call: UnsafePointer<CChar>?) { stampede_note_exit(call) }

    private static func take() -> FatalThreads.LastNote {
        let note = stampede_own_note().pointee
        stampede_own_note().pointee = stampede_last_note()
        let death = telling { CodeWords.Death(note) }
        return { lines in telling { lock.withLock { words.note(death, lastLines: lines) } } }
    }

    private static func telling<Told>(_ body: () -> Told) -> Told {
        stampede_tells(true)
        defer { stampede_tells(false) }
        return AppRuntime.asHarness(body)
    }
}

extension CodeWords {
    /// A death that the process has outlived.
    struct Death: Sendable {
        let end: End
        let code: UInt
        let calls: [UInt]

        /// - Parameter code: where in client code it was, if that is known.
        init(_ last: stampede_last_note, code: UInt? = nil) {
            end = last.call.map { .call(String(cString: $0)) } ?? .signal(Int32(last.signal))
            calls = last.addresses
            self.code = code ?? ClientCode.place(of: calls)
        }
    }

    mutating func note(_ death: Death, lastLines: [String]) -> FatalCall {
        note(death.end, code: death.code, calls: death.calls, lastLines: lastLines)
    }
}

extension stampede_last_note {
    /// Where it died, and the calls that led there, the innermost first.
    var addresses: [UInt] {
        withUnsafeBytes(of: calls) { calls in
            calls.bindMemory(to: UInt64.self).prefix(Int(count)).map { UInt($0) }
        }
    }
}
