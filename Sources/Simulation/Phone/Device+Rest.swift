// The work under way for a device, and how the device stops working at the end of a run.
// Guard: confined to the device's lane.

internal import Synchronization

extension Device {
    /// How much is under way for this device: callbacks, blocks, messages.
    package var underWay: Int {
        outstanding + outsideWork.load(ordering: .sequentiallyConsistent) + (daemon.isBusy ? 1 : 0)
    }

    /// Whether something of it may still change what the app has done.
    package var isAwaited: Bool { app != nil && underWay > (isGoingRound ? outstanding : 0) }

    /// How much of it the app may still build on before it answers its user: blocks on its queues, callbacks that are on
    /// their way, answers of servers, requests that StoreKit has not answered.
    package var underWayForApp: Int {
        appWork + outsideWork.load(ordering: .sequentiallyConsistent) + daemon.callsUnderWay
    }

    /// Whether the app has something on its queues: blocks, or calls that are on their way to it.
    var isAtWorkForApp: Bool { appWork + outsideWork.load(ordering: .sequentiallyConsistent) > 0 }

    /// Purchases that the app has not finished, by their handles.
    package var unfinishedPurchases: [Int] { daemon.unfinishedPurchases }

    /// From here on nothing is lost and nothing crashes: what is still wrong afterwards is the client's doing.
    package func beginSettling() {
        isSettling = true
        note(.settlingBegan)
        link.heal()
        daemon.delivery.heal()
        daemon.linkHealed()
    }

    /// Calls `body` once, on the lane, as soon as no work is under way for this device, or only work without effect.
    package func whenQuiet(_ body: @escaping () -> Void) {
        onQuiet = body
        isQuietAwaited.store(true, ordering: .sequentiallyConsistent)
        // Asked from an event of its own, so that whatever the caller still does in this one counts.
        schedule {}
    }

    func checkQuiet() {
        guard outstanding == 0 || isGoingRound else { return }
        if hasWaited, outstanding == 0, let app { app.checkWaits() }
        guard onQuiet != nil, !daemon.isBusy, !hasOutsideWork else { return }
        let body = onQuiet.take()
        body?()
    }
}
