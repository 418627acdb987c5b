// The findings so far of a swarm's workers, or of all parts of a swarm.
// Any thread: `lock` guards everything while workers run.

package import Files
import Foundation
import Judgement
package import Simulation

/// What the workers of a swarm have found so far.
package final class SwarmLedger: @unchecked Sendable {  // Guard: `lock`; read by the swarm when its workers are done.
    struct Group {
        let conduct: Conduct
        var scenarios: Int
        var first: Int
        var evidence: Evidence
    }

    package init() {}

    private let lock = NSLock()
    private(set) var scenarios = 0
    private(set) var unjudged = 0
    private(set) var groups: [Conduct: Group] = [:]
    private(set) var faults: [(number: Int, fault: RunFault)] = []

    private static let faultsKept = 20

    var groupCount: Int { lock.withLock { groups.count } }

    /// In the order of the rule book, the most frequent first.
    var sorted: [Group] {
        groups.values.sorted { left, right in
            (left.conduct.rule.place, -left.scenarios, left.first, left.conduct.identifier)
                < (right.conduct.rule.place, -right.scenarios, right.first, right.conduct.identifier)
        }
    }

    func add(_ number: Int, _ outcome: SwarmOutcome) {
        lock.withLock {
            scenarios += 1
            if outcome.isUnjudged { unjudged += 1 }
            if let fault = outcome.faults.first { keep(number, fault) }
            for found in outcome.found {
                guard var group = groups[found.conduct] else {
                    guard let evidence = found.evidence else { preconditionFailure("shown first without evidence") }
                    groups[found.conduct] = Group(
                        conduct: found.conduct, scenarios: 1, first: number, evidence: evidence)
                    continue
                }
                group.scenarios += 1
                // Which worker is the first to come upon it must not show.
                if number < group.first, let evidence = found.evidence {
                    (group.first, group.evidence) = (number, evidence)
                }
                groups[found.conduct] = group
            }
        }
    }

    func add(_ number: Int, _ fault: RunFault) {
        lock.withLock {
            scenarios += 1
            keep(number, fault)
        }
    }

    private func keep(_ number: Int, _ fault: RunFault) {
        faults.append((number, fault))
        faults.sort { $0.number < $1.number }
        if faults.count > Self.faultsKept { faults.removeLast() }
    }

    // MARK: Parts

    package func pack() -> [UInt8] {
        var packer = Packer()
        packer.put(scenarios)
        packer.put(unjudged)
        packer.put(groups.count)
        for group in sorted {
            packer.put(group.conduct)
            packer.put(group.scenarios)
            packer.put(group.first)
            packer.put(group.evidence)
        }
        packer.put(faults.count)
        for (number, fault) in faults {
            packer.put(number)
            packer.put(fault)
        }
        return packer.bytes
    }

    /// Takes in what another part of the same swarm has found.
    ///
    /// - Parameter catalog: of the scenario of that number.
    package func add(_ unpacker: inout Unpacker, _ catalog: (Int) -> Catalog?) throws(TornValue) {
        scenarios += try unpacker.number()
        unjudged += try unpacker.number()
        for _ in 0..<(try unpacker.count()) {
            let conduct = try Conduct(&unpacker)
            let count = try unpacker.number()
            let first = try unpacker.number()
            guard let catalog = catalog(first) else { throw TornValue() }
            var group = Group(
                conduct: conduct, scenarios: count, first: first, evidence: try Evidence(&unpacker, catalog))
            if let known = groups[conduct] {
                if known.first < first { (group.first, group.evidence) = (known.first, known.evidence) }
                group.scenarios += known.scenarios
            }
            groups[conduct] = group
        }
        for _ in 0..<(try unpacker.count()) { keep(try unpacker.number(), try RunFault(&unpacker)) }
    }
}
