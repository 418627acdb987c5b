// Whose a Dispatch queue is. The queue carries it, so that code running there finds its device and its process.
// Any thread, except what says otherwise.

package import Dispatch

/// Carried by every queue that belongs to a device: by the device's own under the wall clock, which serves one process
/// after the other, and by those that a process's client made.
package final class QueueOwner: @unchecked Sendable {  // Guard: constants, but for `waiting`: the device's lane.
    package let device: Device
    /// A client's queue dies with its process: what still runs there must not pass for the next one's.
    let maker: (any AppPort)?
    /// Whether it stands for the device's main queue.
    package let isMain: Bool
    package let isSerial: Bool
    /// Under the virtual clock the blocks that wait for their turn on a client's queue.
    package var waiting: [() -> Void] = []

    private static let key = DispatchSpecificKey<QueueOwner>()

    /// Of the executing queue, or of the nearest of its targets that has one.
    static var executing: QueueOwner? { DispatchQueue.getSpecific(key: key) }

    /// Of this very queue.
    package static func of(_ queue: DispatchQueue) -> QueueOwner? { queue.getSpecific(key: key) }

    private init(device: Device, maker: (any AppPort)?, isMain: Bool, isSerial: Bool) {
        self.device = device
        self.maker = maker
        self.isMain = isMain
        self.isSerial = isSerial
    }

    /// Makes a queue one of this launch's.
    package static func adopt(
        _ queue: DispatchQueue, into app: any AppPort, isMain: Bool = false, isSerial: Bool = true
    ) {
        let owner = QueueOwner(device: app.device, maker: app, isMain: isMain, isSerial: isSerial)
        queue.setSpecific(key: key, value: owner)
    }

    static func adopt(_ queue: DispatchQueue, as main: Device) {
        queue.setSpecific(
            key: key, value: QueueOwner(device: main, maker: nil, isMain: true, isSerial: true))
    }

    static func release(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: nil) }
}
