// One reader of a sequence without an end: what has come for it, and the task that waits for more.
// Guard: the device's lane, but for `next`, which any task may call.

import Simulation

/// The iterator of `Transaction.updates` and its like. The receiver knows it from its first `next` on (S2, S3). Neither retains
/// the other: the task that waits here outlives its process, and must not keep it.
final class Feed<Value, Element: Sendable>: @unchecked Sendable {
    /// Nil once the process has ended.
    private(set) weak var receiver: StoreKit2Receiver?
    private let behaviour: FeedBehaviour<Value, Element>
    private var buffer: [Value] = []
    private var waiting: UnsafeContinuation<Element?, Never>?
    private var hasBegun = false
    fileprivate private(set) var isCancelled = false

    init(_ receiver: StoreKit2Receiver, _ behaviour: FeedBehaviour<Value, Element>) {
        self.receiver = receiver
        self.behaviour = behaviour
    }

    deinit {
        let ends = behaviour.ends
        receiver?.onLane { ends($0) }
    }

    /// The next element; nil once the task is cancelled. Never returns for a process that has ended, unless its tasks are being
    /// brought to their ends.
    nonisolated(nonsending) func next() async -> Element? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                receiver?.onLane { [self] in
                    wait(continuation, $0)
                } ended: {
                    continuation.resume(returning: nil)
                }
            }
        } onCancel: {
            receiver?.onLane { [self] in cancel($0) }
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Element?, Never>, _ receiver: StoreKit2Receiver) {
        if isCancelled { return receiver.resume(continuation, with: nil) }
        waiting = continuation
        if !hasBegun {
            hasBegun = true
            behaviour.begins(receiver, self)
        }
        handOver(receiver)
    }

    /// S1: the loop ends, and what comes later goes to other readers.
    private func cancel(_ receiver: StoreKit2Receiver) {
        isCancelled = true
        behaviour.ends(receiver)
        if let continuation = waiting.take() { receiver.resume(continuation, with: nil) }
    }

    /// A value has come. On the lane.
    func put(_ value: Value, from receiver: StoreKit2Receiver) {
        if isCancelled { return }
        buffer.append(value)
        handOver(receiver)
    }

    private func handOver(_ receiver: StoreKit2Receiver) {
        guard !buffer.isEmpty, let continuation = waiting.take() else { return }
        receiver.resume(continuation, with: behaviour.handsOver(receiver, buffer.removeFirst()))
    }

    /// The process has ended: what has come for the reader is forgotten.
    func forget() { buffer = [] }

    /// Nothing more comes.
    func endWait() { waiting.take()?.resume(returning: nil) }
}

/// What a kind of reader does at its turns, all on the lane.
struct FeedBehaviour<Value, Element: Sendable> {
    /// The first element is asked for.
    let begins: (StoreKit2Receiver, Feed<Value, Element>) -> Void
    /// A reader is cancelled, or gone.
    var ends: @Sendable (StoreKit2Receiver) -> Void = { _ in }
    /// A value is handed over, and not just kept for later.
    let handsOver: (StoreKit2Receiver, Value) -> Element
}

/// The readers of one sequence, in the order of their first `next`.
struct FeedList<Value, Element: Sendable> {
    private struct Place { weak var feed: Feed<Value, Element>? }
    private var places: [Place] = []

    mutating func add(_ feed: Feed<Value, Element>) {
        places.removeAll { $0.feed == nil }
        places.append(Place(feed: feed))
    }

    /// Whether none reads on.
    var isEmpty: Bool { places.allSatisfy { $0.feed?.isCancelled ?? true } }

    /// S4: each reader receives each value.
    func put(_ value: Value, from receiver: StoreKit2Receiver) {
        for place in places { place.feed?.put(value, from: receiver) }
    }

    func forget() { for place in places { place.feed?.forget() } }

    mutating func endWaits() {
        defer { places = [] }
        for place in places { place.feed?.endWait() }
    }
}
