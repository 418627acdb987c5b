// How client code ends or hangs on a device, apart from crashes that the harness plans.
// Values; any thread.

/// Client code ended the process, or would have.
package struct DeathNote: Sendable, Equatable {
    package let call: ClientCall
    private let isOfMemory: Bool
    /// A signal, 0, or mebibytes. Small, because every event has room for one.
    private let number: Int32

    package enum Cause: Sendable, Equatable {
        case signal(Int32)
        /// It ended the process by itself.
        case exit
        /// It came to hold more than so many bytes, in whole mebibytes.
        case memory(over: Int)
    }

    package init(call: ClientCall, _ cause: Cause) {
        self.call = call
        (isOfMemory, number) =
            switch cause {
            case .signal(let signal): (false, signal)
            case .exit: (false, 0)
            case .memory(let bytes): (true, Int32(clamping: bytes >> 20))
            }
    }

    package var cause: Cause { isOfMemory ? .memory(over: Int(number) << 20) : number == 0 ? .exit : .signal(number) }
}

/// A call into client code that does not come back, or is ended for what it takes.
package struct HungCall: Sendable, Equatable {
    /// For how long it has waited: on the device, or where it goes round in circles, in real time.
    package let waited: Span
    package let wait: ClientWait
    /// It takes memory without end.
    package let overrun: MemoryOverrun?

    package init(waited: Span, wait: ClientWait, overrun: MemoryOverrun? = nil) {
        (self.waited, self.wait, self.overrun) = (waited, wait, overrun)
    }
}

extension HungCall {
    /// What its device sees of it. How much it held when it was found out is other in each run.
    package func event(in call: ClientCall, on device: Device) -> DeviceEvent {
        overrun == nil ? .hung(waited, call, wait) : .died(DeathNote(call: call, .memory(over: device.memoryLimit)))
    }
}

/// Client code came to hold more memory than an app may.
package struct MemoryOverrun: Sendable, Equatable {
    /// In bytes.
    package let held: Int
    /// All apps of a piece of work together: whose it is has to be found out.
    package let isOfAll: Bool

    package init(held: Int, isOfAll: Bool = false) { (self.held, self.isOfAll) = (held, isOfAll) }
}

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
