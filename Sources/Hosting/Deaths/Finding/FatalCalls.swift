// Calls of client code that end its process: the piece of work is done once more, and there the app ends instead.
// Main thread of the process that forks workers; a copy of it in each worker.

import Foundation
import Simulation
import Statics

/// The places where client code has brought workers down.
///
/// If a piece of work brings its worker down, another worker does it once more, finds a way out of client code, and
/// continues with the app's end.
/// If there is no way out and that worker dies too, the third attempt leaves out the call.
struct FatalCalls {
    private var known: [Int: CallBoard.Expected] = [:]
    /// Of each place, the call in which a worker was killed.
    private var kills: [Int: CallPlace?] = [:]
    /// Places in which something has not come again.
    private var doubtful: Set<Int> = []
    /// Of each place, where client code brought a worker down that has not come to its end since, and what is said of that.
    private var unproven: [Int: (code: UInt, place: CodePlace?)] = [:]
    /// So often workers have died.
    private(set) var deathCount = 0
    private var hangCount = 0
    /// What has been found out about places in client code, for workers that come later.
    var words = CodeWords()

    /// How many there may be. Each costs a piece of work: what has come to so many is known well enough.
    private let deathsMax: Int

    /// Of a run.
    static let deathsStandard = 300
    /// How many of the deaths may be calls that did not come back: each takes as long as one is waited for.
    private static let hangsMax = 20

    init(deathsMax: Int = deathsStandard) { self.deathsMax = deathsMax }

    var areThereHangs: Bool { hangCount > 0 }

    /// Nothing more is begun after so many.
    var areMany: Bool { deathCount >= deathsMax || hangCount >= Self.hangsMax }

    func at(_ place: Int) -> CallBoard.Expected { known[place] ?? CallBoard.Expected() }

    /// False if no other worker is to continue: the call is unknown, or was left out already.
    ///
    /// - Parameter underWay: the place at which the worker was.
    mutating func take(_ death: WorkerDeath, underWay: Int?) -> Bool {
        if areMany { return false }
        guard let place = underWay else {
            deathCount += 1
            return death.isKill
        }
        if isFirstKill(death, at: place) {
            deathCount += 1
            return true
        }
        if case .hung(let hang) = death.cause, hang.overrun?.isOfAll == true { return counts(at: place) }
        guard let call = death.call, at(place).skipped[call] == nil else { return false }
        let note: FatalCall
        switch death.cause {
        case .signal(let number): note = words.note(death, .signal(number))
        case .call(let name): note = words.note(death, .call(name))
        case .hung(let hang): note = FatalCall(hang)
        case .status, .torn, .unborn, .notAgain: return false
        }
        deathCount += 1
        var expected = at(place)
        if note.hang != nil {
            hangCount += 1
            if note.hang?.overrun == nil { expected.hasHangs = true } else { expected.countsMemory = true }
        }
        unproven[place] = (death.code, words.known(at: death.code))
        // There was no way out, or there is none.
        if expected.hasWaysOut || doubtful.contains(place) || death.isKill {
            expected.skipped[call] = note
            unproven[place] = nil
        }
        expected.hasWaysOut = true
        expected.calls.insert(call)
        known[place] = expected
        return true
    }

    /// From here on it is counted what each app of a place holds. False if that is so already.
    private mutating func counts(at place: Int) -> Bool {
        deathCount += 1
        var expected = at(place)
        if expected.countsMemory { return false }
        (expected.hasWaysOut, expected.countsMemory) = (true, true)
        known[place] = expected
        return true
    }

    /// Anybody may have killed it, or the system may have been out of memory: that does not happen twice in one place.
    private mutating func isFirstKill(_ death: WorkerDeath, at place: Int) -> Bool {
        guard death.isKill else { return false }
        let former = kills.updateValue(death.call, forKey: place)
        return former.map { $0 != death.call } ?? true
    }

    /// Where there are ways out, something did not happen: it is tried once more as it was the first time. False if that was so
    /// already.
    mutating func take(missed calls: [CallPlace], at place: Int) -> Bool {
        unproven[place] = nil
        guard doubtful.insert(place).inserted else { return false }
        known[place] = nil
        return true
    }

    /// Where client code has ended the app, in a place that has come to its end, as it had ended a worker before.
    mutating func takeProven(of place: Int) -> (code: UInt, place: CodePlace?)? {
        unproven.isEmpty ? nil : unproven.removeValue(forKey: place)
    }

    /// A place has come to its end. False if nothing of what had happened has come again: it was chance.
    func accepts(_ place: Int) -> Bool { !doubtful.contains(place) || at(place).hasWaysOut }
}

/// What is said of the ends of client code.
struct CodeWords {
    enum End {
        case signal(Int32)
        /// By a function of the C library.
        case call(String)
    }

    /// Looked up once: it takes another program to find lines.
    private var places: [UInt: CodePlace?] = [:]

    /// `SIGILL, "Fatal error: Index out of range", in `Shop.buy()` (Sources/Shop.swift:41)`.
    ///
    /// - Parameters:
    ///   - code: where in client code it was; 0: that is not known.
    ///   - calls: those that led there, the innermost first.
    mutating func note(_ end: End, code: UInt, calls: [UInt], lastLines: [String]) -> FatalCall {
        var parts: [String] = []
        var signal: Int32?
        let place = place(at: code)
        switch end {
        case .signal(let number):
            signal = number
            parts.append(SignalName.of(number))
            // Where the compiler checks for itself nothing is printed.
            if let message = SwiftMessage.last(in: lastLines) ?? place?.failure { parts.append("\"\(message)\"") }
        case .call(let name): parts.append("by a call of \(name)")
        }
        if let place { parts.append("in \(place.words)") }
        return FatalCall(signal: signal, reason: parts.joined(separator: ", "), calls: calls)
    }

    fileprivate mutating func note(_ death: WorkerDeath, _ end: End) -> FatalCall {
        note(end, code: death.code, calls: death.calls, lastLines: death.lastLines)
    }

    /// The words found earlier for a place.
    func known(at code: UInt) -> CodePlace? { places[code] ?? nil }
    mutating func learn(_ place: CodePlace?, at code: UInt) { places[code] = .some(place) }

    private mutating func place(at code: UInt) -> CodePlace? {
        if code == 0 { return nil }
        if let known = places[code] { return known }
        let found = ClientCode.tell([code])[code]
        places[code] = .some(found)
        return found
    }
}
