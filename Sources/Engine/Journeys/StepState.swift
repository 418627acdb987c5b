// How far the step is that a user takes.
// A value; the lanes of the user's devices guard it.

/// The step that is being taken, or the launch that one needs. The app may end in the middle of it, and client code may
/// wait there while other events go on.
///
/// | phase          | begins  | client code waits | the app ends                         | returns                  |
/// | -------------- | ------- | ----------------- | ------------------------------------ | ------------------------ |
/// | between        | running |                   | between: the user may wait for it    |                          |
/// | running        |         | suspended         | cut                                  | between                  |
/// | suspended      |         | suspended         | between: the user goes on without it | between                  |
/// | cut            |         | cut, suspended    | cut                                  | between: launch it again |
/// | cut, suspended |         | cut, suspended    | between: the user goes on without it | between: launch it again |
///
/// An app ends twice in a step that closes it and launches it again.
struct StepState {
    private enum Phase { case between, running, suspended, cut, cutAndSuspended }

    private var phase = Phase.between
    /// Steps that were begun or given up.
    private var number = 0

    /// - Returns: the number by which the step is known when it returns.
    mutating func begin() -> Int {
        phase = .running
        number += 1
        return number
    }

    mutating func clientWaits() {
        switch phase {
        case .running: phase = .suspended
        case .cut: phase = .cutAndSuspended
        case .between, .suspended, .cutAndSuspended: break
        }
    }

    /// What the end of the app is to its user.
    enum End {
        /// Nothing was being done with it at that moment.
        case between
        /// The step returns soon, and finds it out.
        case within
        /// The step never returns, or the run no longer waits for it.
        case abandoned
    }

    mutating func appEnds() -> End {
        switch phase {
        case .between: return .between
        case .running, .cut:
            phase = .cut
            return .within
        case .suspended, .cutAndSuspended:
            phase = .between
            number += 1
            return .abandoned
        }
    }

    /// How a step came back.
    enum Return {
        case whole
        /// The app ended in it.
        case cut
        /// The user has gone on without it.
        case late
    }

    mutating func returns(_ number: Int) -> Return {
        if number != self.number { return .late }
        defer { phase = .between }
        return phase == .cut || phase == .cutAndSuspended ? .cut : .whole
    }

    /// The app has ended in the step, which is what the step was for.
    mutating func forgiveEnd() { if phase == .cut { phase = .running } }
}
