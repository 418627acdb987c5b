// The devices of a user, and what is under way on them.
// Guard: the lanes of the user's devices, which run one at a time.

import ClientKit
import Scenario
import Simulation

/// A question to the app that has not been answered.
struct PendingRequest {
    let number: Int
    let kind: RequestKind
}

/// A device and what the user is doing on it.
final class UserDevice: @unchecked Sendable {  // Guard: the lanes of the user's devices, which run one at a time.
    let device: Device
    /// The client of the latest launch; its process may have ended.
    @exclusivity(unchecked) var client: (any StoreClient)?
    /// What the app was updated to; nil: it never was.
    @exclusivity(unchecked) var update: (any StoreClient.Type)?
    @exclusivity(unchecked) var pending: [PendingRequest] = []
    /// The process of that launch.
    @exclusivity(unchecked) var process: AppProcess?
    @exclusivity(unchecked) var isSettled = false
    /// As the record of the device has it.
    var heldOnFirstAccount: [Int] = []

    /// Where the latest launch of the settling begins among the events.
    private var settlingLaunch = 0
    /// Purchases that waited on the device when that launch began, by their handles.
    private var unfinishedBefore: Set<Int> = []
    /// How many of the events have been looked at.
    private var seen = 0

    init(device: Device) { self.device = device }

    func settlingLaunchBegins() {
        settlingLaunch = device.events.count
        unfinishedBefore = Set(device.unfinishedPurchases)
    }

    /// Whether another launch of the settling may change something: the latest one did, or a purchase has come since it began, and
    /// waits for an app that looks only at its launch.
    var mayChange: Bool { changedWhileSettling || !unfinishedBefore.isSuperset(of: device.unfinishedPurchases) }

    /// Whether the latest launch of the settling did anything that another one might build on.
    private var changedWhileSettling: Bool {
        device.events[settlingLaunch...].contains { record in
            switch record.event {
            case .stored, .finishCalled, .paymentAdded, .receiptArrived, .revocationDelivered: return true
            case .launched, .launchReturned, .willTerminate, .terminated, .writesLost, .crashed, .backgrounded,
                .foregrounded,
                .reinstalled, .updated, .settlingBegan, .accountSwitched, .settled, .asked, .answered, .used,
                .observerAdded, .observerRemoved, .updatesUnread, .updatesRead, .delivered, .removalDelivered,
                .failureDelivered, .restoreCalled, .syncCalled, .recordRead, .entitlementsRead, .unverifiedDelivered,
                .restoreFinished, .restoreFailed,
                .receiptRefreshStarted, .receiptRefreshed, .receiptRefreshFailed, .promotionTapped,
                .promotionAsked, .productsStarted, .productsDelivered, .productsFailed, .admitted, .lost, .posted,
                .postAnswered, .goods, .kept, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised, .died,
                .foreignFinish:
                return false
            }
        }
    }

    /// What has happened since this was last asked for.
    func takeLatest() -> ArraySlice<EventRecord> {
        defer { seen = device.events.count }
        return device.events[min(seen, device.events.count)...]
    }
}
