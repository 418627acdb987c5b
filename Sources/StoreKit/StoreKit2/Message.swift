// What the App Store has to say to the person who uses the app.
// Values; any thread.

import Simulation

/// A message of the App Store to the user (S76). An app that reads `messages` shows each at its own time, with
/// `display(in:)`. What no task reads, the system shows within seconds.
public struct Message: Equatable, Hashable, Sendable {
    /// What a message is about.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Anything else. The simulated store sends none.
        public static let generic = Reason(rawValue: 0)
        /// A subscription's price rises, and the user has to agree (R52).
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A renewal could not be paid (R48).
        public static let billingIssue = Reason(rawValue: 2)
        /// A former subscriber may take a win-back offer. The simulated store sends none.
        public static let winBackOffer = Reason(rawValue: 3)

        init(_ message: SystemMessage) {
            switch message {
            case .priceIncrease: self = .priceIncreaseConsent
            case .billingIssue: self = .billingIssue
            }
        }
    }

    /// What the message is about.
    public let reason: Reason

    /// The messages of this launch. It has no end.
    public static var messages: Messages { Messages() }

    /// Shows the message: the user agrees to a higher price, or does not. Other messages lead to nothing. Any thread.
    package func display() {
        let receiver = StoreKit2Receiver.current(for: "Message.display(in:)")
        receiver.onLane { [self] receiver in
            if let message = SystemMessage.allCases.first(where: { Reason($0) == reason }) {
                receiver.request(.show(message))
            }
        }
    }

    /// A sequence of messages.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = Message

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(feed: StoreKit2Receiver.current(for: "Message.messages").messageFeed())
        }

        /// One reader of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let feed: Feed<SystemMessage, Message>

            /// The next message; nil once the task is cancelled.
            public mutating func next() async -> Message? { await feed.next() }
        }
    }
}
