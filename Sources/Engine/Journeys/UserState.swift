// Where a user stands in the run.
// A value; the lanes of the user's devices guard it.

/// What a user is doing, from the first step to the verdict.
///
/// | state    | a step takes time | a step asks the app | an answer comes            | the time is up | the app ends   | the journeys end |
/// | -------- | ----------------- | ------------------- | -------------------------- | -------------- | -------------- | ---------------- |
/// | acting   | pausing           | asking              |                            | acting         | pausing, or as before | settling  |
/// | pausing  | pausing           | asking              |                            | acting         | pausing, or as before | settling  |
/// | asking   | pausing           | asking              | the last one asked: acting | acting         | pausing        | settling         |
/// | settling |                   |                     |                            |                |                |                  |
/// | judged   |                   |                     |                            |                |                |                  |
///
/// A user pauses until the app is launched again. If the app ends between two steps, the next step launches it, and the state
/// stays as it is. `StepState` has the step itself, and says whether the app ended within it. From settling, the user is judged.
enum UserState: Equatable {
    case acting
    case pausing
    case asking(Asked)
    /// Every device is brought to rest.
    case settling
    case judged

    enum Asked: Equatable {
        case one(Int)
        /// The step ends with the last of their answers.
        case several([Int])
    }

    var isAsking: Bool {
        if case .asking = self { return true }
        return false
    }

    /// The user does no step any more.
    var isSettling: Bool { self == .settling || self == .judged }

    mutating func pauses() { if !isSettling { self = .pausing } }

    /// - Returns: whether the user waits for the answers: not after their journeys.
    mutating func asks(_ asked: Asked) -> Bool {
        if isSettling { return false }
        self = .asking(asked)
        return true
    }

    /// - Parameter pending: the requests that have no answer yet.
    /// - Returns: whether it was the last answer that the user waited for.
    mutating func isAnswered(_ number: Int, pending: [PendingRequest]) -> Bool {
        guard case .asking(let asked) = self else { return false }
        switch asked {
        case .one(let awaited): if awaited != number { return false }
        case .several(let awaited):
            if awaited.contains(where: { number in pending.contains { $0.number == number } }) { return false }
        }
        self = .acting
        return true
    }

    mutating func timeIsUp() { if !isSettling { self = .acting } }

    /// - Returns: false if the journeys had ended before.
    mutating func journeysEnd() -> Bool {
        if isSettling { return false }
        self = .settling
        return true
    }

    mutating func isJudged() { self = .judged }
}
