// What a worker process says of a cell, as bytes.
// Values; any thread.

import Files
import Judgement
import Metrics
import Simulation

extension Packer {
    /// - Parameter thresholds: those that may have ended the run.
    mutating func put(_ outcome: RunOutcome, _ thresholds: [Threshold] = []) {
        put(plain: outcome.stuckCells)
        put(plain: outcome.endlessCells)
        put(outcome.isBrokenOff)
        put(outcome.idleUsers)
        put(plain: outcome.events)
        put(plain: outcome.crashLimit)
        put(outcome.isHalted)
        put(plain: outcome.abort.flatMap { PackedAbort($0, thresholds) })
    }
}

extension RunOutcome {
    init(_ unpacker: inout Unpacker, _ thresholds: [Threshold] = []) throws(TornValue) {
        stuckCells = try unpacker.plains(Int.self)
        endlessCells = try unpacker.plains(Int.self)
        isBrokenOff = try unpacker.flag()
        idleUsers = try unpacker.number()
        events = try unpacker.plain(Int?.self)
        crashLimit = try unpacker.plain(Int?.self)
        isHalted = try unpacker.flag()
        abort = try unpacker.plain(PackedAbort?.self).map { packed throws(TornValue) in try packed.abort(thresholds) }
    }
}

/// Which threshold ended a run.
private struct PackedAbort {
    let place: Int
    let actual: Double
    let at: Span

    init?(_ abort: RunAbort, _ thresholds: [Threshold]) {
        guard let place = thresholds.firstIndex(of: abort.threshold) else { return nil }
        (self.place, actual, at) = (place, abort.actual, abort.at)
    }

    func abort(_ thresholds: [Threshold]) throws(TornValue) -> RunAbort {
        guard thresholds.indices.contains(place) else { throw TornValue() }
        return RunAbort(threshold: thresholds[place], actual: actual, at: at)
    }
}

extension ClientRemarks.Remark {
    func pack(into packer: inout Packer) {
        packer.put(kind.rawValue)
        packer.put(count)
        packer.put(subjects.count)
        for subject in subjects.sorted() {
            packer.put(subject.name)
            packer.put(plain: [subject.place])
            packer.put(subject.conforming)
            packer.put(subject.declaration?.file)
            packer.put(subject.declaration?.line ?? 0)
        }
    }

    init(_ unpacker: inout Unpacker) throws(TornValue) {
        guard let kind = ClientRemarks.Kind(rawValue: try unpacker.number()) else { throw TornValue() }
        self.init(kind, count: try unpacker.number(), subjects: [])
        for _ in 0..<(try unpacker.number()) {
            var subject = ClientRemarks.Subject(
                name: try unpacker.text(), place: try unpacker.code().first ?? 0)
            subject.conforming = try unpacker.text()
            let (file, line) = (try unpacker.optionalText(), try unpacker.number())
            subject.declaration = file.map { .init(file: $0, line: line) }
            subjects.insert(subject)
        }
    }
}
