// What a user leaves behind for the judge, and the devices it was done on.
// Values, apart from the devices; each has its guard.

import Clients
import Scenario
import Simulation

/// A question to the app that has not been answered.
struct PendingRequest {
    let number: Int
    let kind: Pending
}

/// What the runner itself counts of a user.
struct UserTotals: Sendable {
    var iterations = 0
    /// Those that were broken off.
    var interruptedIterations = 0
    var unknownSteps = 0
    /// The journey never let time pass, and was broken off.
    var isSpinning = false
    var expectationsMet = 0
    var expectationsMissed = 0
    var launchDurations: [Span] = []
    /// When the last journey ended and settling began.
    var journeyEnd = Instant.start
    /// When the user was on a journey, and not in the pool of an open load.
    var active: [(from: Instant, to: Instant)] = []
}

/// Everything the judge gets of one user, beside the store's books.
struct UserRecord: Sendable {
    let user: Int
    /// At least one.
    let devices: [DeviceRecord]
    let totals: UserTotals
}

struct DeviceRecord: Sendable {
    let history: [HistoryRecord]
    /// Goods of each product at the end.
    let held: [Int]
    /// The same when the account that was signed in first had come to rest; empty with one account.
    let heldOnFirstAccount: [Int]
    let counts: DeviceCounts
    let callbackTimes: [Int64]
    let requestFailures: [Instant]
}

/// A device and what the user is doing on it.
final class Seat: @unchecked Sendable {  // Guard: the lanes of the user's devices, which run one at a time.
    let device: Device
    /// The client of the latest launch; its process may have ended.
    @exclusivity(unchecked) var client: (any StoreClient)?
    @exclusivity(unchecked) var pending: [PendingRequest] = []
    /// The process of that launch.
    @exclusivity(unchecked) var process: AppProcess?
    @exclusivity(unchecked) var isSettled = false
    /// As the record of the device has it.
    var heldOnFirstAccount: [Int] = []

    /// Where the latest launch of the settling begins in the history.
    private var settlingLaunch = 0
    /// How much of the history has been looked at.
    private var seen = 0

    init(device: Device) { self.device = device }

    func settlingLaunchBegins() { settlingLaunch = device.history.count }

    /// Whether the latest launch of the settling did anything that another one might build on.
    var changedWhileSettling: Bool {
        device.history[settlingLaunch...].contains { record in
            switch record.event {
            case .stored, .finishCalled, .paymentAdded, .receiptArrived, .revokedTold: return true
            case .launched, .launchReturned, .willTerminate, .terminated, .crashed, .backgrounded, .foregrounded,
                .reinstalled, .settlingBegan, .accountSwitched, .settled, .asked, .answered, .used, .observerAdded,
                .observerRemoved, .told, .removedTold, .failureTold, .restoreCalled, .restoreFinishedTold,
                .restoreFailedTold, .receiptRefreshStarted, .receiptRefreshTold, .receiptRefreshFailedTold,
                .promotionTapped, .promotionTold, .productsStarted, .productsTold, .productsFailedTold, .admitted,
                .requestLost, .answerLost, .posted, .postAnswered, .goods, .mainQueueHeld, .hung, .overworked,
                .calledOffLane, .raised, .foreignFinish:
                return false
            }
        }
    }

    /// What has happened since this was last asked for.
    func takeLatest() -> ArraySlice<HistoryRecord> {
        defer { seen = device.history.count }
        return device.history[min(seen, device.history.count)...]
    }
}
