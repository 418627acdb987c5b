// What is known of one completed purchase, and what became of its goods.

import Simulation

/// A completed purchase and what became of its goods.
struct PurchaseTrack: Sendable {
    let id: TransactionID
    let product: ProductIndex
    let quantity: Int
    let boughtAt: Instant
    let isCharged: Bool
    let storeFinishedAt: Instant?
    /// What it entitled to is over at the end of the run: expired, upgraded, refunded.
    let isOver: Bool
    /// It was taken back at some time of the run.
    let isRevoked: Bool
    /// When it entitled to nothing any more, if that came.
    let overAt: Instant?
    /// It ran out by itself; another level that took its place is no reason to take it away.
    let expiresAt: Instant?
    /// Until then it was about to run out.
    let graceBeganAt: Instant?
    var revocationToldAt: Instant?
    /// When an observer first heard of it as purchased.
    var toldAt: Instant?
    /// Told as purchased once more after its goods had come.
    var isToldAgain = false
    /// Goods seen to arrive for it.
    var delivered = 0
    var isDelivered = false
    /// The request of the user whose payment it answered, while its goods are waited for.
    var awaitedBy: Int?
    /// Goods of this product came instead, so many.
    var mixedUpWith: ProductIndex?
    var mixedUpGain = 0
    var toldProcess: Int32 = 0
    var finishCalledAt: Instant?
    /// Told as purchased once more after the app had finished it (R22).
    var isToldSinceFinish = false
    var finishProcess: Int32 = 0
    /// Balanced in an earlier epoch: the store had its finish then.
    var isClosed = false
    /// The app that was deleted had finished it, and the store had not heard so, or another device finishes it: it may
    /// come again, and then it may be delivered again.
    var isLeftOver = false

    /// The app has been told that it was taken back.
    var isKnownRevoked: Bool { isRevoked && revocationToldAt != nil }

    /// When it ended, taken back or run out; never, if it did not.
    var endedAt: Instant { isRevoked ? overAt ?? .never : expiresAt ?? .never }

    /// Its goods, or the lack of them, are the app's doing in this epoch.
    var isOwed: Bool { finishCalledAt != nil && (!isLeftOver || toldAt != nil) }

    /// Whatever was done with it was done by an app that has been deleted.
    mutating func beginAnew() {
        finishCalledAt = nil
        isToldSinceFinish = false
        isToldAgain = false
        toldAt = nil
        delivered = 0
        isDelivered = false
        mixedUpWith = nil
    }

    /// Unfinished, by the app and in the store's books.
    var isStuck: Bool { !isClosed && !isLeftOver && finishCalledAt == nil && storeFinishedAt == nil }

    /// The app has been told of it and has not finished it since.
    var isOpen: Bool { toldAt != nil && (finishCalledAt == nil || isToldSinceFinish) }
}
