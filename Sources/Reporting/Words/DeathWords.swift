// How a worker process ended, in words.
// Pure; any thread.

import Engine
import Foundation
package import Hosting
import Judgement
import Simulation
import Statics

extension DeathCause {
    /// What all users have in common that died of it.
    var words: String { reason ?? call.map { "in \($0.words)" } ?? rule.breach }
}

extension WorkerDeath {
    /// As what follows "ended by".
    package var words: String {
        switch cause {
        case .signal(let number):
            "signal \(number)" + (SignalName.names[number].map { ", \($0)" } ?? "")
                + (frames.first.map { ", in \($0)" } ?? "")
        case .status(let code): "an exit with \(code)"
        case .call(let name): "a call of \(name)"
        case .hung: "a call into the client that did not come back"
        case .torn: "the harness, because it sent what cannot be read"
        case .unborn(let number): "the system, which has no room for it: \(String(cString: strerror(number)))"
        case .notAgain: "a crash of the client that did not come again"
        }
    }

    /// Functions and lines that it died in, the innermost first: the client's, or where it was no fault of theirs all of the program.
    private var frames: [String] {
        ClientCode.frames(of: [calls], areClients: blame == .client)[0].compactMap(\.self)
    }

    /// Of a fault of the harness: how it ended, and in which calls.
    var faultWords: String {
        let place = self.place.map { " in cell \($0)" } ?? ""
        let calls = frames.isEmpty ? "" : "; its calls, the innermost first: \(frames.joined(separator: ", "))"
        return "a worker process was ended by \(words)\(place)\(calls)"
    }

    /// What was ended, as what precedes "was ended by".
    package static func subject(_ blame: Blame) -> String {
        switch blame {
        case .client: "the client's process"
        case .harness: "Stampede itself"
        case .nobody: "a worker process"
        }
    }

    /// Where it was or had been last; nil before the first.
    package var placeWords: String? { name ?? place.map { "cell \($0)" } }

    /// What follows where it was: the last lines that its client code printed, mostly what Swift says of the mistake.
    package var lastWords: String {
        lastLines.isEmpty ? "" : "; it had last printed:" + lastLines.map { "\n  | \($0)" }.joined()
    }
}
