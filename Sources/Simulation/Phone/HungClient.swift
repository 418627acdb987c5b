// Client code that waits for what nobody is left to do.
// A value; any thread.

/// A call on the main queue of a device under the virtual clock, which nothing that is under way can bring back.
package struct HungClient: Sendable {
    package let lost: LostCall
    package let hang: HungCall
}

extension Device {
    /// Neither the client comes back nor the thread that found out.
    func hangs(_ client: HungClient) -> Never {
        if let onHang { onHang(client) }
        fatalError("The client waits for ever, in \(client.lost.call), for: \(client.hang.wait).")
    }
}
