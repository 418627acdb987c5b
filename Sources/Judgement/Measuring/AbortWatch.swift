// Thresholds that end a run as soon as they do not hold.
// Plain values; any thread.

package import Metrics
package import Scenario
package import Simulation

/// Why a run was ended before its time.
package struct RunAbort: Sendable, Equatable {
    package let threshold: Threshold
    /// What it was held against.
    package let actual: Double
    /// How far the run had come, in its own time.
    package let at: Span

    package init(threshold: Threshold, actual: Double, at: Span) {
        (self.threshold, self.actual, self.at) = (threshold, actual, at)
    }
}

/// Looks at the thresholds that may end the run while it goes on.
package struct AbortWatch: Sendable {
    package let thresholds: [Threshold]

    /// Looks at nothing.
    package static let idle = AbortWatch([])

    private init(_ thresholds: [Threshold]) { self.thresholds = thresholds }

    /// - Parameter client: the name of the one under test.
    package init(_ scenario: Scenario, client: String) {
        thresholds = scenario.thresholdsInForce(for: client).filter { $0.abort != nil }
    }

    /// Whether there is nothing to look at.
    package var isIdle: Bool { thresholds.isEmpty }

    /// The first that does not hold; one without samples says nothing yet.
    ///
    /// - Parameters:
    ///   - elapsed: how far the run has come, in its own time.
    ///   - judged: what was measured of the users that have been judged.
    ///   - live: what has been measured of all of them.
    package func firstBroken(after elapsed: Span, judged: Tally, live: Tally? = nil) -> RunAbort? {
        let seconds = Double(elapsed.nanoseconds) / 1e9
        for threshold in thresholds where elapsed.nanoseconds >= threshold.abort?.delay ?? 0 {
            let early = threshold.isLive ? live?.reading(of: threshold, seconds: seconds) : nil
            let reading = early ?? judged.reading(of: threshold, seconds: seconds)
            guard case .failed(let actual) = threshold.evaluate(reading) else { continue }
            return RunAbort(threshold: threshold, actual: actual, at: elapsed)
        }
        return nil
    }
}

extension Tally {
    /// What a threshold is held against; nil when nothing was measured.
    package func reading(of threshold: Threshold, seconds: Double) -> MetricReading? {
        measurements.named(threshold.name)?.reading(seconds: seconds)
    }
}
