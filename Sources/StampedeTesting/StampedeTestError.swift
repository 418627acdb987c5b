// The reasons why nothing was judged, or why a figure does not exist.
// Values; any thread.

import Foundation

/// The reason why a test gets no verdict or no figure. The description says how to fix it.
public enum StampedeTestError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No scenario has that name; `places` are the paths that were tried.
    case scenarioNotFound(String, places: [String])
    /// The client's type cannot be found by its name in the new process.
    case unreachableClient(String)
    /// The command refused its arguments or its input; the text is its own message.
    case refused(String)
    /// The command's process ended with an undocumented code, or by a signal, of this number; the text is its message.
    case ended(number: Int32, String)
    /// The report has no metric of that name; `near` is a similar name that it has.
    case unknownMetric(String, near: String?)
    /// The metric's kind has no such figure: a counter has no percentiles.
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
