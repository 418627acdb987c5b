// What the audit keeps of one completed purchase while it reads a history.

import Simulation

/// A completed purchase and what became of its goods.
struct PurchaseTrack {
    let id: TransactionID
    let product: ProductIndex
    let quantity: Int
    let isCharged: Bool
    let storeFinishedAt: Instant?
    /// What it entitled to is over at the end of the run: expired, upgraded, refunded.
    let isOver: Bool
    let isRevoked: Bool
    var revocationToldAt: Instant?
    /// When an observer first heard of it as purchased.
    var toldAt: Instant?
    /// Told as purchased once more after its goods had come.
    var isToldAgain = false
    /// Goods seen to arrive for it.
    var delivered = 0
    var isDelivered = false
    /// Goods of this product came instead.
    var mixedUpWith: ProductIndex?
    var toldProcess: Int32 = 0
    var finishCalledAt: Instant?
    /// Told as purchased once more after the app had finished it (R22).
    var isToldSinceFinish = false
    var finishProcess = 0
    /// Balanced in an earlier epoch.
    var isClosed = false

    /// The app has been told of it and has not finished it since.
    var isOpen: Bool { toldAt != nil && (finishCalledAt == nil || isToldSinceFinish) }
}
