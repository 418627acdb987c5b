// Operations on their way from a worker process to the process that writes them down.
// Any thread: `lock` guards the kept operations.

package import Files
internal import Foundation
package import Simulation

/// Keeps the operations of users until they are packed.
package final class OperationRelay: OperationRecord, OperationLog, @unchecked Sendable {
    private let lock = NSLock()
    private var users: [(events: [OperationEvent], user: Int, isOnlyDevice: Bool)] = []

    package init() {}

    package func makeLog() -> any OperationLog { self }

    package func add(_ events: [OperationEvent], user: Int, isOnlyDevice: Bool, _ catalog: Catalog) {
        lock.withLock { users.append((events, user, isOnlyDevice)) }
    }

    /// They go with the cell that they are of.
    package func flush() {}

    package func unload(into packer: inout Packer) {
        lock.lock()
        defer { lock.unlock() }
        packer.put(users.count)
        for (events, user, isOnlyDevice) in users {
            packer.put(user)
            packer.put(isOnlyDevice)
            packer.put(events.count)
            for event in events {
                packer.put(plain: Plain(event))
                packer.put(event.error)
                packer.put(event.message)
            }
        }
        users.removeAll(keepingCapacity: true)
    }

    /// Hands on what a relay has packed.
    package static func pour(
        _ unpacker: inout Unpacker, into log: any OperationLog, _ catalog: Catalog
    ) throws(TornValue) {
        for _ in 0..<(try unpacker.count()) {
            let user = try unpacker.number()
            let isOnlyDevice = try unpacker.flag()
            var events: [OperationEvent] = []
            for _ in 0..<(try unpacker.count()) {
                let plain = try unpacker.plain(Plain.self)
                events.append(plain.event(error: try unpacker.optionalText(), try unpacker.optionalText()))
            }
            log.add(events, user: user, isOnlyDevice: isOnlyDevice, catalog)
        }
    }

    /// An event without its text.
    private struct Plain {
        let at: Instant
        let device: Int
        let thread: Int
        let outcome: OperationEvent.Outcome
        let kind: RequestKind
        let product: ProductIndex?
        let quantity: Int?
        let restored: Int?

        init(_ event: OperationEvent) {
            (at, device, thread) = (event.at, event.device, event.thread)
            (outcome, kind, product) = (event.outcome, event.kind, event.product)
            (quantity, restored) = (event.quantity, event.restored)
        }

        func event(error: String?, _ message: String?) -> OperationEvent {
            OperationEvent(
                at: at, device: device, thread: thread, outcome: outcome, kind: kind, product: product,
                quantity: quantity, restored: restored, error: error, message: message)
        }
    }
}
