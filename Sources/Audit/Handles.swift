// What the audit keeps of each transaction as the device numbers them: states told, finishes called.

import Simulation

/// A transaction on one device: `Auditor.handlePlaces` finds it by its handle.
struct HandleTrack {
    var state: TransactionState
    let product: ProductIndex?
    var identity: TransactionID?
    var isFinished = false
    /// It has left the queue.
    var isRemoved = false
    var process: Int
    /// Another handle of the same purchase (R22).
    var alike: Int?
}

extension Auditor {
    mutating func forgetHandles() {
        handles.removeAll(keepingCapacity: true)
        handlePlaces.removeAll()
        goods.forgetHandles()
    }

    mutating func told(_ transaction: DeviceEvent.TransactionNote, _ record: HistoryRecord) {
        if let place = handlePlaces[transaction.handle] {
            let before = handles[place].state
            if !Self.isLegal(before, transaction.state) {
                findings.faults.append(
                    .illegalTransition(handle: Int(transaction.handle), from: before, to: transaction.state))
            }
            handles[place].state = transaction.state
            handles[place].isRemoved = false
            if handles[place].identity != transaction.id { identify(place, transaction.id) }
            handles[place].process = Int(record.process)
        } else {
            handlePlaces.set(transaction.handle, to: handles.count)
            handles.append(
                HandleTrack(
                    state: transaction.state, product: transaction.product, process: Int(record.process)))
            identify(handles.count - 1, transaction.id)
        }
        goods.told(transaction, record)
        requests.told(transaction, at: record.at)
    }

    /// One purchase may stand on the queue twice (R22).
    private mutating func identify(_ place: Int, _ id: TransactionID?) {
        handles[place].identity = id
        guard let id else { return }
        handles[place].alike = goods.exchangeHandle(of: id, place)
    }

    /// R13. The same state again is a redelivery.
    private static func isLegal(_ from: TransactionState, _ to: TransactionState) -> Bool {
        if from == to { return true }
        switch from {
        case .purchasing: return true
        case .deferred: return to == .purchased || to == .failed
        case .purchased, .failed, .restored: return false
        }
    }

    mutating func finishCalled(_ transaction: DeviceEvent.TransactionNote, _ record: HistoryRecord) {
        let state = transaction.state
        if state == .purchasing || state == .deferred {
            return report(.illegalFinish, record, finding: .state(state))
        }
        guard let place = handlePlaces[transaction.handle] else { return }
        handles[place].isFinished = true
        // One purchase may stand on the queue twice (R22); both leave together.
        var alike = transaction.id.flatMap { goods.handle(of: $0) }
        while let other = alike {
            handles[other].isFinished = true
            alike = handles[other].alike
        }
        // R23: a free re-purchase may arrive as restored; what it brings is looked for when it is bought only.
        if state == .purchased || state == .restored {
            goods.finishCalled(transaction, record, needsGoods: state == .purchased, into: &findings)
        }
        requests.finishCalled(transaction)
    }

    mutating func removed(_ transaction: DeviceEvent.TransactionNote) {
        if let place = handlePlaces[transaction.handle] { handles[place].isRemoved = true }
    }

    /// Failed and restored transactions that nobody finished come back at every launch (R5, R30).
    /// What the store had heard of before leaves by itself. Purchased ones, and those that the store counts as such
    /// whatever it tells (R23), are judged with the ledger.
    mutating func settleHandles(at end: Instant) {
        for track in handles
        where !track.isFinished && !track.isRemoved && (track.state == .failed || track.state == .restored)
            && !goods.isStuck(track.identity)
        {
            findings.violations.append(
                Violation(
                    rule: .stuckTransaction, at: end, process: track.process, product: track.product,
                    finding: .state(track.state)))
        }
    }
}
