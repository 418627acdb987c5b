// The latest values of two publishers, which purchase code uses and OpenCombine leaves out.
// Any thread. Each subscription's `lock` guards its state; no thread holds it while values are delivered.

#if Combine
    internal import Foundation
    public import OpenCombine

    extension Publisher {
        /// Publishes both latest values whenever one of them changes.
        /// Both publishers must have sent a value first.
        public func combineLatest<Other: Publisher>(_ other: Other) -> Publishers.CombineLatest<Self, Other>
        where Other.Failure == Failure {
            Publishers.CombineLatest(self, other)
        }

        /// Publishes `transform` of both latest values whenever one of them changes.
        /// Both publishers must have sent a value first.
        public func combineLatest<Other: Publisher, Result>(
            _ other: Other, _ transform: @escaping (Output, Other.Output) -> Result
        ) -> Publishers.Map<Publishers.CombineLatest<Self, Other>, Result> where Other.Failure == Failure {
            combineLatest(other).map { transform($0.0, $0.1) }
        }
    }

    extension Publishers {
        /// Publishes both latest values of two publishers. Finishes when both have finished, or fails when one fails.
        public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
            public typealias Output = (A.Output, B.Output)
            public typealias Failure = A.Failure

            public let a: A
            public let b: B

            public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                let pair = LatestPair<A.Output, B.Output, S>(subscriber)
                subscriber.receive(subscription: pair)
                a.subscribe(LatestSide(pair, 0) { pair, value in pair.first = value })
                b.subscribe(LatestSide(pair, 1) { pair, value in pair.second = value })
            }
        }
    }

    /// One subscription to both publishers. Values without demand are not kept: the next values replace them.
    private final class LatestPair<First, Second, Downstream: Subscriber>: Subscription
    where Downstream.Input == (First, Second) {
        fileprivate var first: First?
        fileprivate var second: Second?
        private let lock = NSRecursiveLock()
        private var downstream: Downstream?
        private var demand = Subscribers.Demand.none
        private var upstream: [Int: any Subscription] = [:]
        private var finished: Set<Int> = []

        init(_ downstream: Downstream) { self.downstream = downstream }

        func request(_ demand: Subscribers.Demand) { lock.withLock { self.demand += demand } }

        func cancel() {
            let upstream = lock.withLock {
                defer { (self.upstream, downstream) = ([:], nil) }
                return self.upstream
            }
            for subscription in upstream.values { subscription.cancel() }
        }

        fileprivate func began(_ side: Int, _ subscription: any Subscription) {
            let isWanted = lock.withLock {
                if downstream != nil { upstream[side] = subscription }
                return downstream != nil
            }
            if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        fileprivate func received(_ store: (LatestPair) -> Void) {
            let next: (Downstream, (First, Second))? = lock.withLock {
                store(self)
                guard let downstream, let first, let second, demand > .none else { return nil }
                demand -= 1
                return (downstream, (first, second))
            }
            guard let (downstream, value) = next else { return }
            let more = downstream.receive(value)
            lock.withLock { demand += more }
        }

        fileprivate func ended(_ side: Int, _ completion: Subscribers.Completion<Downstream.Failure>) {
            let last: Downstream? = lock.withLock {
                finished.insert(side)
                upstream[side] = nil
                if case .finished = completion, finished.count < 2 { return nil }
                return downstream
            }
            guard let last else { return }
            cancel()
            last.receive(completion: completion)
        }
    }

    /// Passes the values of one of the two publishers to the pair.
    private struct LatestSide<Input, First, Second, Downstream: Subscriber>: Subscriber
    where Downstream.Input == (First, Second) {
        typealias Failure = Downstream.Failure
        typealias Pair = LatestPair<First, Second, Downstream>

        private let pair: Pair
        private let side: Int
        private let store: (Pair, Input) -> Void
        let combineIdentifier = CombineIdentifier()

        init(_ pair: Pair, _ side: Int, _ store: @escaping (Pair, Input) -> Void) {
            (self.pair, self.side, self.store) = (pair, side, store)
        }

        func receive(subscription: any Subscription) { pair.began(side, subscription) }

        func receive(_ input: Input) -> Subscribers.Demand {
            pair.received { store($0, input) }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) { pair.ended(side, completion) }
    }
#endif
