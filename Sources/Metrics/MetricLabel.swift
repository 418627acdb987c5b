// What samples of a metric are told apart by, besides whose they are.
// Plain values; any thread.

/// A tag of what was measured itself.
package enum MetricLabel: String, Sendable, CaseIterable {
    /// Of a fault.
    case kind
    /// That a violation breaks.
    case rule
    /// The error that the app was told, of a failed purchase.
    case code
    /// At which a purchase failed.
    case stage
    /// How a purchase ended.
    case outcome
    /// Where an answer came from.
    case answer

    /// What it can say; nil where that is known elsewhere.
    package var values: [String]? {
        switch self {
        case .kind, .rule, .code: nil
        case .stage: FailureStage.allCases.map(\.rawValue)
        case .outcome: PaymentOutcome.allCases.map(\.rawValue)
        case .answer: AnswerSource.allCases.map(\.rawValue)
        }
    }

    /// Known from the store's books alone, and so not before a user is judged.
    package var isOfBooks: Bool { self == .stage }
}

/// What the callback told that ended a purchase.
package enum PaymentOutcome: String, Sendable, CaseIterable {
    /// It was purchased, or came as restored because it was owned already.
    case success
    /// It failed, cancels included.
    case failure
    /// It waits for approval.
    case deferred
}

/// The stage of a purchase at which it failed.
package enum FailureStage: String, Sendable, CaseIterable {
    /// At once, and nothing was sent.
    case instant
    /// Nothing of it ever reached the store.
    case sending
    /// The store refused it before it had asked the buyer.
    case processing
    /// The buyer, or what the store found once they had decided.
    case deciding
    /// The store had answered, and the device did not hear it.
    case receiving
}

/// Where an answer came from.
package enum AnswerSource: String, Sendable, CaseIterable {
    /// It took time, or the store had a part in it.
    case served
    /// It came at the very instant of the question, and the store had no part in it.
    case instant
}
