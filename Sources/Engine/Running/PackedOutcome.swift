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

    mutating func put(_ client: LostClient) {
        put(client.user)
        put(client.device)
        put(plain: client.events)
        put(client.log)
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

extension LostClient {
    init(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        slot = CallSlot()
        user = try unpacker.number()
        device = try unpacker.number()
        self.catalog = catalog
        events = try unpacker.plains(EventRecord.self)
        log = try ClientLog(&unpacker)
    }
}
