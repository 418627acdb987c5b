// What a worker process says of a cell, as bytes.
// Values; any thread.

import Judgement
import Metrics
import Simulation

extension Packer {
    mutating func put(_ outcome: RunOutcome) {
        put(plain: outcome.stuckCells)
        put(plain: outcome.endlessCells)
        put(outcome.idleUsers)
        put(outcome.events ?? 0)
    }
}

extension RunOutcome {
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        stuckCells = try unpacker.plains(Int.self)
        endlessCells = try unpacker.plains(Int.self)
        idleUsers = try unpacker.number()
        events = try unpacker.number()
    }
}

extension ClientRemarks.Remark {
    /// Places stay what they are: processes are forked from one another, and their code lies where it lay.
    func pack(into packer: inout Packer) {
        packer.put(kind.rawValue)
        packer.put(count)
        packer.put(subjects.count)
        for subject in subjects.sorted() {
            packer.put(subject.name)
            packer.put(plain: subject.place)
        }
    }

    init(_ unpacker: inout Unpacker) throws(TornValue) {
        guard let kind = ClientRemarks.Kind(rawValue: try unpacker.number()) else { throw TornValue() }
        self.init(kind, count: try unpacker.number(), subjects: [])
        for _ in 0..<(try unpacker.number()) {
            subjects.insert(.init(name: try unpacker.text(), place: try unpacker.plain(UInt.self)))
        }
    }
}
