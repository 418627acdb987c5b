// Where an event comes from, for a timeline that tries events in other orders.
// A value.

/// Events of one source keep their order in every exploration, as on a serial queue or a connection.
/// Events of two sources may overtake each other.
package struct EventSource: Sendable, Hashable {
    private enum Kind: Hashable {
        case harness, message
        case daemon(Int), app(Int), hop(Int)
    }

    private let kind: Kind

    /// The person, the store by itself, and all other sources together.
    package static let harness = EventSource(kind: .harness)
    /// A message on its way between a device and the store: each one may overtake any other.
    package static let message = EventSource(kind: .message)

    /// What the payment daemon of a device tells the app.
    static func daemon(of device: Int) -> EventSource { EventSource(kind: .daemon(device)) }
    /// What the app of a device asks of its payment daemon.
    static func app(of device: Int) -> EventSource { EventSource(kind: .app(device)) }
    /// What the app of a device has put on its main queue.
    package static func mainQueue(of device: Int) -> EventSource { EventSource(kind: .hop(device)) }
}
