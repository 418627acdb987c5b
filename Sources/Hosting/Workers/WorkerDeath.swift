// How a worker process ended that should not have.
// Values; any thread.

internal import Foundation
package import Simulation

package struct WorkerDeath: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case signal(Int32)
        /// It ended by itself, without a word.
        case status(Int32)
        /// By a function of the C library.
        case call(String)
        /// It did not come back.
        case hung(HungCall)
        /// What it sent cannot be read.
        case torn
        /// It could not be forked: an error number.
        case unborn(Int32)
        /// What had happened did not happen again when the place was done once more.
        case notAgain
    }

    package let cause: Cause
    /// Where it was or had been last, in a run the cell; nil before the first.
    package let place: Int?
    /// What the place is called, where it is no cell.
    package private(set) var name: String?
    /// The last lines that client code had printed, of all places.
    package let lastLines: [String]
    /// The call into client code that it died in; nil: it was in none, or that is not known.
    package let call: CallPlace?
    /// Where in client code it died; 0: that is not known.
    package let code: UInt
    /// The calls that it died in, the innermost first.
    package let calls: [UInt]
    package let sender: Sender

    /// Whose code brought a signal about.
    package enum Sender: Sendable {
        /// Also where the harness's code failed after client code had been left in the middle: it may have broken the memory.
        case client
        case harness
        /// Another process, or the system.
        case outside
    }

    package enum Blame: String, Sendable, Codable, CaseIterable {
        case client, harness
        /// Neither the client nor the harness, or it is unknown.
        case nobody
    }

    package var blame: Blame {
        switch cause {
        case .signal: sender == .harness ? .harness : sender == .outside && call == nil ? .nobody : .client
        case .torn: .harness
        case .unborn, .notAgain: .nobody
        case .status, .call, .hung: .client
        }
    }

    /// Anybody may have killed it.
    var isKill: Bool {
        if case .signal = cause { sender == .outside } else { false }
    }
    /// Whether only the result of this place is unknown.
    package var wasElsewhere: Bool { cause == .notAgain }

    package init(
        _ cause: Cause, place: Int?, lastLines: [String] = [], call: CallPlace? = nil, code: UInt = 0,
        calls: [UInt] = [], sender: Sender = .client
    ) {
        (self.calls, self.sender) = (calls, sender)
        (self.cause, self.place, self.lastLines, self.call, self.code) = (cause, place, lastLines, call, code)
    }

    package func placed(_ place: (Int) -> Int) -> WorkerDeath {
        WorkerDeath(
            cause, place: self.place.map(place), lastLines: lastLines, call: call, code: code, calls: calls,
            sender: sender)
    }

    /// Of a worker that had many cells at once.
    package var ofManyCells: WorkerDeath {
        WorkerDeath(cause, place: nil, lastLines: lastLines, calls: calls, sender: sender)
    }

    func named(_ name: (Int) -> String) -> WorkerDeath {
        var copy = self
        copy.name = place.map(name)
        return copy
    }
}
