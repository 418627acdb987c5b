// The operations of the users that one collector has judged, in sorted pieces on disk.
// Guard: its collector's.

import Foundation
import Judgement
import Simulation

/// Holds a piece in memory, and hands it over when it is full.
final class OperationPieces: OperationLog {
    private let store: OperationStore
    private var lines: [Line] = []
    private var bytes = 0
    /// As JSON, by the product's index.
    private var products: [String] = []

    /// A line of the file without its index, and its place among the others: independent of the collector.
    struct Line: Comparable {
        let at: Int64
        let user: Int
        /// Among the user's.
        let number: Int
        let text: String

        static func < (one: Line, other: Line) -> Bool {
            (one.at, one.user, one.number) < (other.at, other.user, other.number)
        }
    }

    init(_ store: OperationStore) { self.store = store }

    /// - Parameter events: of a user's devices, one after the other.
    func add(_ events: [OperationEvent], user: Int, isOnlyDevice: Bool, _ catalog: Catalog) {
        if products.isEmpty { products = catalog.products.map { Self.json($0.identifier) } }
        // Sorting keeps the order of what one device did in one instant.
        let order = events.indices.sorted { (events[$0].at, $0) < (events[$1].at, $1) }
        for (number, place) in order.enumerated() {
            let text = text(events[place], user: user, isOnlyDevice: isOnlyDevice)
            lines.append(Line(at: events[place].at.nanoseconds, user: user, number: number, text: text))
            bytes += text.utf8.count
        }
        if bytes >= store.pieceBytes { flush() }
    }

    /// Hands over what has come together.
    func flush() {
        if lines.isEmpty { return }
        store.add(lines.sorted())
        lines = []
        bytes = 0
    }

    private func text(_ event: OperationEvent, user: Int, isOnlyDevice: Bool) -> String {
        var process = "\(user)"
        if !isOnlyDevice { process += ".\(event.device)" }
        if event.thread > 0 { process += "+\(event.thread)" }
        var text = "\"time\":\(event.at.nanoseconds),\"process\":\"\(process)\",\"type\":\"\(event.outcome.rawValue)\","
        text += "\"f\":\"\(event.kind.function)\",\"value\":\(value(event))"
        if let error = event.error { text += ",\"error\":\"\(error)\"" }
        if let message = event.message { text += ",\"message\":\(Self.json(message))" }
        return text + "}"
    }

    private func value(_ event: OperationEvent) -> String {
        if let quantity = event.quantity {
            let product = event.product.map { products[$0] } ?? "null"
            return "{\"product\":\(product),\"quantity\":\(quantity)}"
        }
        return event.restored.map { "{\"restored\":\($0)}" } ?? "null"
    }

    private static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string always has an encoding.
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
