// Several publishers as one, which purchase code uses and OpenCombine leaves out.
// Any thread, because their subjects have locks of their own.

#if Combine
    public import OpenCombine

    extension Publisher {
        /// Publishes the values of both publishers as they arrive.
        public func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
        where Other.Output == Output, Other.Failure == Failure {
            Publishers.MergeMany([eraseToAnyPublisher(), other.eraseToAnyPublisher()]).eraseToAnyPublisher()
        }
    }

    extension Publishers {
        /// Publishes the values of all publishers as they arrive.
        public struct MergeMany<Upstream: Publisher>: Publisher {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            public let publishers: [Upstream]

            public init(_ upstream: Upstream...) { publishers = upstream }
            public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                let all = Publishers.Sequence<[Upstream], Failure>(sequence: publishers)
                all.flatMap { $0 }.receive(subscriber: subscriber)
            }
        }
    }
#endif
