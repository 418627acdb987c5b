// How a worker process ended, in words.
// Pure; any thread.

package import Engine
import Foundation
import Simulation

extension WorkerDeath {
    /// As what follows "ended by".
    package var words: String {
        switch cause {
        case .signal(let number): "signal \(number)" + (SignalName.names[number].map { ", \($0)" } ?? "")
        case .status(let code): "an exit with \(code)"
        case .call(let name): "a call of \(name)"
        case .hung: "a call into the client that did not come back"
        case .torn: "the harness, because it sent what cannot be read"
        case .unborn(let number): "the system, which has no room for it: \(String(cString: strerror(number)))"
        case .notAgain: "a crash of the client that did not come again"
        }
    }

    /// Where it was or had been last; nil before the first.
    package var placeWords: String? { name ?? place.map { "cell \($0)" } }

    /// What follows where it was: the last lines that its client code printed, mostly what Swift says of the mistake.
    package var lastWords: String {
        lastLines.isEmpty ? "" : "; it had last printed:" + lastLines.map { "\n  | \($0)" }.joined()
    }
}
