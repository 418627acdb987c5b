// What the audit keeps of each transaction as the device numbers them: states told, finishes called.

import Simulation

/// A transaction on one device, by its handle.
struct HandleTrack {
    let handle: Int64
    var state: TransactionState
    var product: ProductIndex?
    var identity: Int64
    var isFinished = false
    /// It has left the queue.
    var isRemoved = false
    var toldAt: Instant
    var process: Int
}

extension Auditor {
    mutating func told(_ record: HistoryRecord) {
        guard let state = TransactionState(rawValue: Int(record.code)) else {
            preconditionFailure("the history tells state \(record.code)")
        }
        if let place = handles.lastIndex(where: { $0.handle == record.number }) {
            let before = handles[place].state
            if !Self.isLegal(before, state) {
                findings.faults.append(.illegalTransition(handle: Int(record.number), from: before, to: state))
            }
            handles[place].state = state
            handles[place].isRemoved = false
            handles[place].identity = record.other
            handles[place].toldAt = record.at
            handles[place].process = Int(record.process)
        } else {
            handles.append(
                HandleTrack(
                    handle: record.number, state: state, product: record.productIndex, identity: record.other,
                    toldAt: record.at, process: Int(record.process)))
        }
        goods.told(record, state)
        requests.transactionTold(record, state: state)
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

    mutating func finishCalled(_ record: HistoryRecord) {
        let state = TransactionState(rawValue: Int(record.code)) ?? .purchasing
        if state == .purchasing || state == .deferred {
            return report(.illegalFinish, record, finding: .state(state))
        }
        guard let place = handles.lastIndex(where: { $0.handle == record.number }) else { return }
        handles[place].isFinished = true
        // One purchase may stand on the queue twice (R22); both leave together.
        if record.other != 0 {
            for other in handles.indices where handles[other].identity == record.other {
                handles[other].isFinished = true
            }
        }
        // R23: a free re-purchase may arrive as restored; what it brings is looked for when it is bought only.
        if state == .purchased || state == .restored {
            goods.finishCalled(record, needsGoods: state == .purchased, into: &findings)
        }
        requests.finishCalled(record)
    }

    mutating func removed(_ record: HistoryRecord) {
        if let place = handles.lastIndex(where: { $0.handle == record.number }) { handles[place].isRemoved = true }
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
