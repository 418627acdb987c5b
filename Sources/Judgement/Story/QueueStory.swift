// The payment queue: transactions as the device numbers them, their deliveries, and the app's finishes.
// A value; part of a story.

package import Simulation

/// A transaction on one device.
struct HandleTrack: Sendable {
    var state: TransactionState
    let product: ProductIndex?
    let payment: Int32?
    var identity: TransactionID?
    var isFinished = false
    /// It has left the queue.
    var isRemoved = false
    var process: Int32
    /// Another handle of the same purchase (R22).
    var alike: Int?
    /// When it was first told as bought or restored in the latest launch in which it was; nil: it never was.
    var deliverableSince: Moment?
    /// When the app last finished it after that.
    var finishedAt: Instant?
}

extension TransactionState {
    /// Whether the app has something to deliver. R23: a free re-purchase may arrive as restored.
    var bringsGoods: Bool { self == .purchased || self == .restored }

    /// Whether it says how a payment ended.
    var isEnding: Bool { self != .purchasing && self != .deferred }
}

package struct QueueStory: Sendable {
    private(set) var handles: [HandleTrack] = []
    private var places = NumberedPlaces()
    package private(set) var tellings: [Telling] = []
    package private(set) var finishes: [Finish] = []
    package private(set) var removals: [Removal] = []
    package private(set) var failures: [Failure] = []
    package private(set) var admissions: [Admission] = []
    /// Either API may tell of a transaction: the queue as restored, StoreKit 2 as purchased.
    private var isToldByBoth = false

    package struct Telling: Sendable {
        package let moment: Moment
        package let note: DeviceEvent.TransactionNote
        /// Whether it is the first delivery that says how a payment ended.
        package let isOutcome: Bool
        /// Something to deliver that comes again, or that nothing in its launch asked for.
        package let isRedelivery: Bool

        /// Whether there is something to deliver.
        package var isDelivery: Bool { note.state.bringsGoods }

        /// Whether it says how a payment ended.
        package var isEnding: Bool { note.state.isEnding }
    }

    package struct Finish: Sendable {
        package let moment: Moment
        package let note: DeviceEvent.TransactionNote
        /// Since when its launch could have delivered it; nil where there was nothing to deliver.
        package let deliverableSince: Instant?
    }

    package struct Removal: Sendable {
        package let moment: Moment
        package let note: DeviceEvent.TransactionNote
        /// When the app had finished it; nil for what left by itself, or brought nothing.
        package let finishedAt: Instant?
    }

    /// A purchase that the device learnt of.
    package struct Admission: Sendable {
        package let moment: Moment
        package let transaction: TransactionID
    }

    /// Why StoreKit delivered a transaction as failed.
    package struct Failure: Sendable {
        package let moment: Moment
        package let payment: Int32?
        package let reason: StoreFailure
    }

    mutating func begin(_ input: AuditInput) {
        isToldByBoth = input.usesStoreKit2
        forgetHandles()
        tellings.removeAll(keepingCapacity: true)
        finishes.removeAll(keepingCapacity: true)
        removals.removeAll(keepingCapacity: true)
        failures.removeAll(keepingCapacity: true)
        admissions.removeAll(keepingCapacity: true)
    }

    mutating func forgetHandles() {
        handles.removeAll(keepingCapacity: true)
        places.removeAll()
    }

    var isAnyOnQueue: Bool { handles.contains { !$0.isRemoved } }

    // MARK: Telling

    /// What came of a telling.
    struct Change {
        let handle: Int
        /// The transaction has another identifier than before, if it had one.
        let isIdentified: Bool
        var fault: HarnessFault?
    }

    /// - Parameter isOfThisLaunch: whether it answers a request that was made in the running process.
    mutating func delivered(
        _ note: DeviceEvent.TransactionNote, _ now: Moment, isOutcome: Bool, isOfThisLaunch: Bool
    ) -> Change {
        var change: Change
        if let place = places[note.handle] {
            let before = handles[place].state
            change = Change(handle: place, isIdentified: handles[place].identity != note.id)
            if !isLegal(before, note.state) {
                change.fault = .illegalTransition(handle: Int(note.handle), from: before, to: note.state)
            }
            handles[place].state = note.state
            handles[place].isRemoved = false
            handles[place].process = now.process
        } else {
            change = Change(handle: handles.count, isIdentified: true)
            places.set(note.handle, to: handles.count)
            handles.append(
                HandleTrack(
                    state: note.state, product: note.product, payment: note.payment, process: now.process))
        }
        if change.isIdentified { handles[change.handle].identity = note.id }
        var isRedelivery = false
        if note.state.bringsGoods {
            if let since = handles[change.handle].deliverableSince {
                isRedelivery = since.process != now.process
            } else {
                // Bought in an earlier launch, or outside the app.
                isRedelivery = !isOutcome && note.state == .purchased && !isOfThisLaunch
            }
            if handles[change.handle].deliverableSince?.process != now.process {
                handles[change.handle].deliverableSince = now
            }
        }
        tellings.append(Telling(moment: now, note: note, isOutcome: isOutcome, isRedelivery: isRedelivery))
        return change
    }

    /// One purchase may stand on the queue twice (R22).
    mutating func join(_ handle: Int, _ other: Int?) { handles[handle].alike = other }

    /// Whether the app has heard that a transaction brings something.
    func hasBroughtGoods(_ handle: Int32) -> Bool { places[handle].map { handles[$0].state.bringsGoods } ?? false }

    /// R13. The same state again is a redelivery.
    private func isLegal(_ from: TransactionState, _ to: TransactionState) -> Bool {
        if from == to { return true }
        switch from {
        case .purchasing: return true
        case .deferred: return to == .purchased || to == .failed
        case .purchased, .restored: return isToldByBoth && to.bringsGoods
        case .failed: return false
        }
    }

    mutating func failureDelivered(_ payment: Int32?, _ reason: StoreFailure, _ now: Moment) {
        failures.append(Failure(moment: now, payment: payment, reason: reason))
    }

    mutating func admitted(_ transaction: TransactionID, _ now: Moment) {
        admissions.append(Admission(moment: now, transaction: transaction))
    }

    // MARK: Finishing

    /// - Parameter alike: the latest handle of the same purchase.
    /// - Returns: whether it is on this queue, and may be finished.
    mutating func finishCalled(_ note: DeviceEvent.TransactionNote, _ now: Moment, alike: Int?) -> Bool {
        let place = places[note.handle]
        let since = place.flatMap { handles[$0].deliverableSince }
        if note.state != .failed, let place, since != nil { handles[place].finishedAt = now.at }
        finishes.append(
            Finish(moment: now, note: note, deliverableSince: note.state == .failed ? nil : since?.at))
        if note.state == .purchasing || note.state == .deferred { return false }
        guard let place else { return false }
        handles[place].isFinished = true
        // One purchase may stand on the queue twice (R22); both leave together.
        var alike = alike
        while let other = alike {
            handles[other].isFinished = true
            alike = handles[other].alike
        }
        return true
    }

    mutating func removed(_ note: DeviceEvent.TransactionNote, _ now: Moment) {
        let place = places[note.handle]
        removals.append(
            Removal(
                moment: now, note: note, finishedAt: place.flatMap { handles[$0].finishedAt }))
        if let place { handles[place].isRemoved = true }
    }
}
