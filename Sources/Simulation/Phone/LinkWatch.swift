// An app's look at the network of its device.
// Guard: the device's lane, except what says otherwise.

internal import Synchronization

/// Tells an app whenever its device loses the network or finds it again, until the app ends or stops looking.
package final class LinkWatch: @unchecked Sendable {
    private let app: any AppPort
    private var device: Device { app.device }
    private let tell: @Sendable (Bool) -> Void
    private let isOver = Atomic<Bool>(false)
    private var wasUp: Bool

    init(_ app: any AppPort, isUp: Bool, _ tell: @escaping @Sendable (Bool) -> Void) {
        self.app = app
        self.tell = tell
        wasUp = isUp
    }

    /// Any thread.
    package func end() { isOver.store(true, ordering: .relaxed) }

    func begin() {
        device.link.add(self)
        look()
    }

    /// The end of a run waits for what an app does about it.
    func linkHealed() { device.schedule { [weak self] in self?.look() } }

    private func look() {
        guard app.isAlive, !isOver.load(ordering: .relaxed) else { return }
        let device = device
        let isUp = device.link.isUp
        if isUp != wasUp {
            wasUp = isUp
            // A suspended app hears of it when it comes back, and then as often as it happened.
            app.receiveAnswer { [self] in if !isOver.load(ordering: .relaxed) { tell(isUp) } }
        }
        // No work of the app's, which would keep the device from coming to rest.
        guard let next = device.link.nextChange else { return }
        device.lane.schedule(after: next - device.lane.now) { [weak self] in self?.look() }
    }
}
