// States and answers that events name.
// Values; any thread.

/// R13's states, with StoreKit's raw values.
package enum TransactionState: Int, Sendable, CaseIterable {
    case purchasing = 0
    case purchased = 1
    case failed = 2
    case restored = 3
    case deferred = 4
}

/// What an app made of a promoted purchase (R43).
package enum PromotionAnswer: Int, Sendable, CaseIterable {
    /// None of its observers implements the question.
    case unheard
    /// False: the payment is not added now.
    case notNow
    case added
}

/// What the app told its user in answer to a request.
package enum AnswerCode: Int, Sendable, CaseIterable {
    case purchased = 1
    case cancelled
    case deferred
    case failed
    /// Turned away by the app itself before anything was asked of the store.
    case refused
    case restored
    case nothingToRestore
    case fetched
}
