// A number of users that rises and falls.
// Pure values; any thread.

package import Simulation

/// How many users are at it, changing linearly from stage to stage. Users come in order of their places and go in the
/// reverse order; at every moment there are as many as the ramp says, to the nearest whole number.
package struct UserRamp: Sendable, Equatable {
    /// To a number of users.
    package typealias Stage = LoadStage<Int>

    package let startUsers: Int
    package let stages: [Stage]

    package init(startUsers: Int, stages: [Stage]) {
        precondition(startUsers >= 0, "a ramp from \(startUsers) users")
        self.startUsers = startUsers
        self.stages = stages
    }

    package var duration: Span { stages.reduce(.zero) { $0 + $1.over } }

    package var peak: Int { stages.reduce(startUsers) { max($0, $1.to) } }

    /// From the start of the entry, when one of `users` is at it; the peak is then all of them.
    package func windows(of place: Int, among users: Int) -> [Range<Span>] {
        precondition((0..<users).contains(place), "place \(place) of \(users)")
        let peak = Int128(peak)
        var windows: [Range<Span>] = []
        var begin: Int64 = 0
        var level = startUsers
        for stage in stages {
            let length = stage.over.nanoseconds
            // Where the ramp at this scale is above place + 1/2: 2 users (level + change x / length) >= (2 place + 1) peak.
            let above = (2 * Int128(place) + 1) * peak - 2 * Int128(users) * Int128(level)
            let slope = 2 * Int128(users) * Int128(stage.to - level)
            let missing = above * Int128(length)
            var from: Int64 = 0
            var until = length
            if slope > 0 {
                // Rounded up: not before it is there.
                if missing > 0 { from = Int64(min((missing + slope - 1) / slope, Int128(length))) }
            } else if missing > 0 {
                until = 0
            } else if slope < 0 {
                until = Int64(min(missing / slope + 1, Int128(length)))
            }
            if from < until {
                let window = Span(nanoseconds: begin + from)..<Span(nanoseconds: begin + until)
                if let last = windows.last, last.upperBound == window.lowerBound {
                    windows[windows.count - 1] = last.lowerBound..<window.upperBound
                } else {
                    windows.append(window)
                }
            }
            begin += length
            level = stage.to
        }
        return windows
    }
}
