// What executors come to: which user begins when, in the terms that the engine runs.
// Plain values; any thread.

package import Simulation

/// When the users of an entry begin their journeys; times count from the entry's start.
package enum LoadSchedule: Sendable, Equatable {
    /// Each begins at the start, and again whenever a journey has ended: so many times, and not once `within` is over.
    case repeating(times: Int, within: Span?)
    /// Each begins again and again while the ramp has a place for it.
    case ramp(UserRamp)
    /// So many journeys in all: a free user does the next one, and none is begun once `within` is over.
    case shared(iterations: Int, within: Span)
    /// A free user begins when the plan says.
    case arrivals(ArrivalPlan)
    /// Each begins at the start and then at this rate, whenever its journey before has ended by then.
    case timetables(ArrivalRate, within: Span)

    /// From the start to when no more journeys are begun; nil where there is no such time.
    package var length: Span? {
        switch self {
        case .repeating(_, let within): within
        case .ramp(let ramp): ramp.duration
        case .shared(_, let within): within
        case .arrivals(let plan): plan.duration
        case .timetables(_, let within): within
        }
    }

    /// Whether users wait in a pool for what there is to do, instead of each having a plan of their own.
    package var sharesUsers: Bool {
        switch self {
        case .repeating, .ramp, .timetables: false
        case .shared, .arrivals: true
        }
    }
}

/// Planned arrivals, numbered from zero.
package enum ArrivalPlan: Sendable, Equatable {
    case constant(ArrivalRate, within: Span)
    case ramping(ArrivalRamp)

    package var count: Int {
        switch self {
        case .constant(let rate, let duration): rate.arrivals(within: duration)
        case .ramping(let ramp): ramp.arrivals
        }
    }

    package var duration: Span {
        switch self {
        case .constant(_, let duration): duration
        case .ramping(let ramp): ramp.duration
        }
    }

    package func start(of index: Int) -> Span {
        switch self {
        case .constant(let rate, _): rate.start(of: index)
        case .ramping(let ramp): ramp.start(of: index)
        }
    }
}
