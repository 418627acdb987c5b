// The receipt on a device: when it is brought up to date, and what is read.
// Guard: changed on the device's lane; read on any thread.

internal import Foundation
internal import Synchronization

extension StoreAnswer {
    /// R57: purchases, restores and refreshes bring the receipt up to date, and a synchronisation that brings something.
    var renewsReceipt: Bool {
        switch self {
        case .purchased, .restored, .partlyRestored, .receiptRefreshed: return true
        case .news(let news): return !news.unfinished.isEmpty || !news.revoked.isEmpty
        default: return false
        }
    }
}

extension Device {
    /// Whether the store, on a lane of its own, must write the receipt out. Under the virtual clock it is read from the
    /// books on demand, which is rare.
    var takesReceiptCopies: Bool { lane is WallLane }

    /// - Parameter copy: the receipt as the store wrote it, where copies are taken.
    func receiptArrived(_ answer: StoreAnswer, asOf instant: Instant, copy: Receipt?) {
        guard answer.renewsReceipt else { return }
        let lag = daemon.delivery.receiptLag()
        // R49: what was taken back is out of the receipt before the app hears of it.
        if lag == .zero || answer.isRevocation { return put(copy, asOf: instant) }
        schedule(after: lag) { [self] in put(copy, asOf: instant) }
    }

    /// Answers may overtake each other; an older receipt never takes the place of a newer one.
    private func put(_ copy: Receipt?, asOf instant: Instant) {
        if instant.nanoseconds < receiptDate.load(ordering: .relaxed) { return }
        receiptDate.store(instant.nanoseconds, ordering: .relaxed)
        storage.lock?.withLock { receiptCopy = copy }
        if daemon.delivery.receiptsLag {
            noteOutside(.receiptArrived(writtenAt: instant))
        }
        app?.lookForGoods()
    }

    /// The account's transactions were wiped, or part of them: of a receipt that was there less is left.
    package func receiptRewritten(_ copy: Receipt?, asOf instant: Instant) {
        if receiptDate.load(ordering: .relaxed) >= 0 { put(copy, asOf: instant) }
    }

    /// The app was deleted, and the receipts with it.
    func loseReceipts() {
        receiptDate.store(-1, ordering: .relaxed)
        storage.lock?.withLock { receiptCopy = nil }
        otherReceipt = (-1, nil)
    }

    /// R57: each account of the device has its own, and finds it again.
    func exchangeReceipts() {
        let date = receiptDate.exchange(otherReceipt.date, ordering: .relaxed)
        let copy = otherReceipt.copy
        otherReceipt = (date, receiptCopy)
        storage.lock?.withLock { receiptCopy = copy }
    }

    /// When the store wrote it; nil: there is none. Any thread.
    package var receiptWrittenAt: Instant? {
        let date = receiptDate.load(ordering: .relaxed)
        return date < 0 ? nil : Instant(nanoseconds: date)
    }

    /// Whether the app has a receipt, which is quicker to tell than what stands in it. Any thread.
    package var hasReceipt: Bool { receiptDate.load(ordering: .relaxed) >= 0 }

    /// The app opens the receipt's file. Any thread.
    package func noteReceiptFile() { opensReceiptFile.store(true, ordering: .relaxed) }

    /// How far the dates that the app reads in its receipt may be from the store's.
    package var receiptTolerance: Span { opensReceiptFile.load(ordering: .relaxed) ? .seconds(1) : .zero }

    /// What the app finds where its receipt is; nil before the first purchase (R57). Any thread.
    package var receipt: Receipt? {
        if let lock = storage.lock { return lock.withLock { receiptCopy } }
        let date = receiptDate.load(ordering: .relaxed)
        if date < 0 { return nil }
        let asOf = Instant(nanoseconds: date)
        if lane.isCurrent { return link.receipt(of: account, asOf: asOf) }
        return waitForLane { device in device.link.receipt(of: device.account, asOf: asOf) } ?? nil
    }
}
