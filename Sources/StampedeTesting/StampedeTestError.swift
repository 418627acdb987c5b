// Why nothing was judged, or why a figure cannot be had.
// Values.

import Foundation

/// What keeps a test from a verdict. The description says what to do about it.
public enum StampedeTestError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No scenario of that name; `places` were looked at.
    case scenarioNotFound(String, places: [String])
    /// The client's type cannot be found by its name when the program is started again.
    case unreachableClient(String)
    /// The command refused what it was asked for; its own words.
    case refused(String)
    /// The command's process ended in a way that it does not have, with a code or a signal of this number; what it said.
    case ended(number: Int32, String)
    /// There is no metric of that name in the report; `near`: a name that is there.
    case unknownMetric(String, near: String?)
    /// The metric has no such figure: a counter has no percentiles.
    case noSuchFigure(String, ofMetric: String, kind: String)

    public var description: String {
        switch self {
        case .scenarioNotFound(let name, let places):
            "there is no scenario '\(name)': looked for \(places.joined(separator: ", ")); `stampede init` writes one"
        case .unreachableClient(let type):
            "the client \(type) cannot be found in a new process: declare it at the top of a file, not within a function"
        case .refused(let words): words
        case .ended(let number, let words):
            "the command's process exited with \(number)" + (words.isEmpty ? "" : ": " + words)
        case .unknownMetric(let name, let near):
            "the report has no metric '\(name)'"
                + (near.map { "; did you mean '\($0)'?" } ?? "; `stampede list metrics` lists all metrics")
        case .noSuchFigure(let figure, let metric, let kind): "\(metric) is a \(kind): it has no \(figure)"
        }
    }
}
