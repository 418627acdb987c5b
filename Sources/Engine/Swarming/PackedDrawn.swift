// What a scenario of a swarm showed, as bytes.
// Values; any thread.

import Files
import Judgement
import Simulation

extension Packer {
    mutating func put(_ drawn: SwarmWorkers.Drawn) {
        switch drawn {
        case .unreadable(let problem):
            put(false)
            put(problem)
        case .run(let outcome):
            put(true)
            put(outcome.isUnjudged)
            put(outcome.faults.count)
            for fault in outcome.faults { put(fault) }
            put(outcome.found.count)
            for found in outcome.found {
                put(found.conduct)
                put(found.evidence != nil)
                if let evidence = found.evidence { put(evidence) }
            }
        }
    }
}

extension SwarmWorkers.Drawn {
    /// - Parameter catalog: of its scenario; asked for where there is evidence to tell.
    init(_ unpacker: inout Unpacker, _ catalog: () -> Catalog?) throws(TornValue) {
        guard try unpacker.flag() else {
            self = .unreadable(problem: try unpacker.text())
            return
        }
        var outcome = SwarmOutcome()
        outcome.isUnjudged = try unpacker.flag()
        for _ in 0..<(try unpacker.count()) { outcome.faults.append(try RunFault(&unpacker)) }
        var known: Catalog?
        for _ in 0..<(try unpacker.count()) {
            var found = SwarmOutcome.Found(conduct: try Conduct(&unpacker), evidence: nil)
            if try unpacker.flag() {
                known = known ?? catalog()
                guard let known else { throw TornValue() }
                found.evidence = try Evidence(&unpacker, known)
            }
            outcome.found.append(found)
        }
        self = .run(outcome)
    }
}
