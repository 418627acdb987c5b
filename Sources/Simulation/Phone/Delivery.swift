// Chance in the way from the payment queue to the app: batches, order, duplicates, delays.
// Guard: confined to the device's lane.

/// Draws what a scenario's `faults.delivery` asks for, until the final settling.
struct Delivery {
    private let faults: DeliveryFaults
    private var stream: RandomStream
    /// Nothing is asked for, or nothing any more.
    private(set) var isPlain: Bool

    init(_ faults: DeliveryFaults, seed: UInt64, user: Int) {
        self.faults = faults
        stream = RandomStream(seed: seed, user: user, purpose: .delivery)
        isPlain = faults == DeliveryFaults()
    }

    /// The final settling: everything is delivered as it comes.
    mutating func heal() { isPlain = true }

    var mergesBatches: Bool { !isPlain && faults.batches == .merged }
    var deliversOneByOne: Bool { !isPlain && faults.batches == .oneByOne }
    static let mergingTime = Span.milliseconds(100)

    mutating func ordered(_ batch: [TransactionValue]) -> [TransactionValue] {
        if isPlain { return batch }
        switch faults.order {
        case .asTheyCome: return batch
        case .reversed: return batch.reversed()
        case .random: return batch.shuffled(using: &stream)
        }
    }

    /// After how long a transaction is delivered once more, if it is.
    mutating func duplicateDelay() -> Span? {
        if isPlain || !stream.hits(faults.duplicate) { return nil }
        return .milliseconds(Int64(stream.below(2_000)))
    }

    /// R7, half of the time; also once all is settled, because it is no fault.
    mutating func callsInBackground() -> Bool { stream.below(2) == 0 }

    /// R53, likewise.
    mutating func keepsRequest() -> Bool { stream.below(2) == 0 }

    mutating func finishDelay() -> Span { isPlain ? .zero : faults.finishDelay?.drawSpan(&stream) ?? .zero }

    /// R17: what only the device knows leaves the queue so much later, unless the scenario says when.
    mutating func removalDelay() -> Span {
        faults.finishDelay == nil ? DeliveryFaults.removalTime.drawSpan(&stream) : .zero
    }

    /// How long a message takes, drawn apart from the link's messages.
    mutating func messageTime(_ latency: Distribution) -> Span { latency.drawSpan(&stream) }
    mutating func failsToFinish() -> Bool { !isPlain && stream.hits(faults.finishFails) }
    mutating func staysUnanswered() -> Bool { !isPlain && stream.hits(faults.unanswered) }
    var mayFailToVerify: Bool { faults.verification.fails != .none }
    mutating func verificationFlaw() -> VerificationFlaw? {
        !isPlain && stream.hits(faults.verification.fails) ? faults.verification.reason : nil
    }
    /// S73: draws the product of a forged transaction, from so many; nil: there is none in this launch.
    mutating func forgery(ofOneOf count: Int) -> Int? {
        guard !isPlain, count > 0, stream.hits(faults.verification.forged) else { return nil }
        return Int(stream.below(UInt64(count)))
    }
    /// Whether a receipt may come later than what it tells of.
    var receiptsLag: Bool { faults.receiptsLag }
    mutating func receiptLag() -> Span { isPlain ? .zero : faults.receiptLag.drawSpan(&stream) }
}

extension StoreAnswer {
    /// Whether it tells of something taken back.
    var isRevocation: Bool {
        if case .news(let news) = self { return !news.revoked.isEmpty }
        return false
    }
}
