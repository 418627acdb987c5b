// What threads note that client code has brought to their end under the wall clock.
// Any thread, in a signal's handler too.

import CWorkers
import Foundation
import Simulation
import Statics

package enum FatalNotes {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var words = CodeWords()  // Guard: `lock`.

    /// So many threads may stand still for ever: what has come to so many is known well enough.
    static let strandedMax = FatalCalls.deathsStandard

    /// From here on client code that cannot go on ends its app, and nothing else. Before there are devices.
    static func attend() {
        guard AppRuntime.isInForce else { return }
        FatalThreads.attend(
            { take() }, onThread: { stampede_own_fault_stack() }, onThreadEnd: { stampede_drop_fault_stack() })
        stampede_note_death(nil, { AppRuntime.isInClientCode }, nil, { FatalThreads.leaveClientCode() })
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
        let code = ClientCode.place(of: note.addresses)
        let end = CodeWords.End(note)
        return { lines in lock.withLock { words.note(end, code: code, lastLines: lines) } }
    }
}

extension CodeWords.End {
    init(_ note: stampede_last_note) {
        self = note.call.map { .call(String(cString: $0)) } ?? .signal(Int32(note.signal))
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
