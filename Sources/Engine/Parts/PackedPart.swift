// What a part of a run came to beside what its collector has, as bytes.
// Values; any thread.

import Files
import Hosting
import Judgement
import Metrics
import Simulation

extension Packer {
    /// With what the outcome of one cell never has. A run that thresholds may end is not cut into parts.
    mutating func put(whole outcome: RunOutcome) {
        precondition(outcome.abort == nil && outcome.lost.isEmpty, "what ended a run is not packed")
        put(outcome)
        put(outcome.death != nil)
        if let death = outcome.death { put(death) }
        put(outcome.unattributedCalls.count)
        for calls in outcome.unattributedCalls {
            put(calls.count)
            put(calls.first)
        }
        put(outcome.remarks.count)
        for remark in outcome.remarks { remark.pack(into: &self) }
        put(outcome.taskJobs)
    }

    mutating func put(_ host: HostMeasurements) {
        put(plain: host.seconds)
        put(plain: host.residentPeak)
        put(plain: host.saturation)
    }

    private mutating func put(_ death: WorkerDeath) {
        switch death.cause {
        case .signal(let number): put(0, number)
        case .status(let code): put(1, code)
        case .call(let name):
            put(2)
            put(name)
        case .hung(let hang):
            put(3)
            put(plain: hang)
        case .torn: put(4)
        case .unborn(let number): put(5, number)
        case .notAgain: put(6)
        }
        put(plain: death.place)
        put(death.lastLines.count)
        for line in death.lastLines { put(line) }
        put(plain: death.call)
        put(plain: [death.code])
        put(plain: death.calls)
        put(plain: death.sender)
    }

    private mutating func put(_ kind: Int, _ number: Int32) {
        put(kind)
        put(Int(number))
    }
}

extension RunOutcome {
    init(whole unpacker: inout Unpacker) throws(TornValue) {
        try self.init(&unpacker)
        if try unpacker.flag() { death = try WorkerDeath(&unpacker) }
        for _ in 0..<(try unpacker.count()) {
            unattributedCalls.append(.init(count: try unpacker.number(), first: try unpacker.text()))
        }
        for _ in 0..<(try unpacker.count()) { remarks.append(try ClientRemarks.Remark(&unpacker)) }
        taskJobs = try unpacker.number()
    }
}

extension HostMeasurements {
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        self.init(
            seconds: try unpacker.plain(Double.self), residentPeak: try unpacker.plain(Int?.self),
            saturation: try unpacker.plains(Saturation.self))
    }
}

extension WorkerDeath {
    fileprivate init(_ unpacker: inout Unpacker) throws(TornValue) {
        let cause: Cause
        switch try unpacker.number() {
        case 0: cause = .signal(try unpacker.number32())
        case 1: cause = .status(try unpacker.number32())
        case 2: cause = .call(try unpacker.text())
        case 3: cause = .hung(try unpacker.plain(HungCall.self))
        case 4: cause = .torn
        case 5: cause = .unborn(try unpacker.number32())
        case 6: cause = .notAgain
        default: throw TornValue()
        }
        let place = try unpacker.plain(Int?.self)
        var lines: [String] = []
        for _ in 0..<(try unpacker.count()) { lines.append(try unpacker.text()) }
        self.init(
            cause, place: place, lastLines: lines, call: try unpacker.plain(CallPlace?.self),
            code: try unpacker.code().first ?? 0, calls: try unpacker.code(), sender: try unpacker.plain(Sender.self))
    }
}

extension Unpacker {
    fileprivate mutating func number32() throws(TornValue) -> Int32 {
        guard let number = Int32(exactly: try number()) else { throw TornValue() }
        return number
    }
}
