// How far something has come, told while it is under way.
// Thread-safe through its lock. Reads a clock, for its own pace only.

import Files
import Foundation
import Simulation

/// How progress is told.
package enum ProgressStyle: String, Sendable, CaseIterable {
    /// Lines that are rewritten in place, and gone at the end.
    case live
    /// A line now and then.
    case plain
    /// An object a line now and then, and a last one at the end.
    case json

    /// What suits the standard error.
    package static var detected: ProgressStyle {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" ? .live : .plain
    }
}

/// Lines on standard error.
// Unchecked: `lock` guards everything that changes.
package final class ProgressDisplay: @unchecked Sendable {
    private static let liveIntervalNanoseconds: Int64 = 100_000_000
    private static let plainIntervalNanoseconds: Int64 = 10_000_000_000

    private let progressStyle: ProgressStyle
    private let style: TerminalStyle
    private let columns: @Sendable () -> Int
    private let now: @Sendable () -> Int64
    private let output: @Sendable (String) -> Void

    private let lock = NSLock()
    private var nextAt: Int64
    /// Lines on the screen that are rewritten.
    private var linesShown = 0
    private var isFinished = false

    /// Writes to standard error.
    package convenience init(_ progressStyle: ProgressStyle) {
        self.init(
            progressStyle,
            style: .style(isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment),
            columns: { TerminalStyle.columns(STDERR_FILENO) ?? 80 },
            now: { HostClock.nanoseconds }, output: Self.writeToStandardError)
    }

    /// - Parameter now: nanoseconds of a clock that never goes back.
    package init(
        _ progressStyle: ProgressStyle, style: TerminalStyle, columns: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> Int64, output: @escaping @Sendable (String) -> Void
    ) {
        self.progressStyle = progressStyle
        self.style = style
        self.columns = columns
        self.now = now
        self.output = output
        // A short run prints no plain lines at all.
        nextAt = progressStyle == .live ? Int64.min : now() + Self.plainIntervalNanoseconds
    }

    /// Shows this when it is time to show something; cheap otherwise.
    package func update(_ progress: @autoclosure () -> RunProgress) {
        lock.withLock {
            guard !isFinished else { return }
            let instant = now()
            guard instant >= nextAt else { return }
            let isLive = progressStyle == .live
            nextAt = instant + (isLive ? Self.liveIntervalNanoseconds : Self.plainIntervalNanoseconds)
            switch progressStyle {
            case .live: draw(progress())
            case .plain: output(ProgressLayout.plain(progress()) + "\n")
            case .json: output(ProgressLayout.json(progress(), isLast: false) + "\n")
            }
        }
    }

    /// Writes something else to the terminal: above the lines, which come back with the next update.
    package func above(_ write: () -> Void) {
        lock.withLock {
            if linesShown > 0 { output(toFirstLine + "\u{1B}[J") }
            linesShown = 0
            write()
        }
    }

    /// Takes the lines away, or tells how it ended. Later updates show nothing.
    package func finish(_ progress: @autoclosure () -> RunProgress) {
        lock.withLock {
            if isFinished { return }
            isFinished = true
            if linesShown > 0 { output(toFirstLine + "\u{1B}[J") }
            linesShown = 0
            if progressStyle == .json { output(ProgressLayout.json(progress(), isLast: true) + "\n") }
        }
    }

    /// Under the lock.
    private func draw(_ progress: RunProgress) {
        // The last column stays free: writing it would wrap on some terminals.
        let lines = ProgressLayout.lines(progress, width: max(20, columns() - 1))
        let isBad = progress.violations ?? 0 > 0
        let first = isBad ? style.paint(lines[0], .bad) : lines[0]
        let text = ([first] + lines.dropFirst()).map { $0 + "\u{1B}[K" }.joined(separator: "\n")
        // What stood below is gone, where there are fewer lines now.
        output(toFirstLine + text + (linesShown > lines.count ? "\u{1B}[J" : ""))
        linesShown = lines.count
    }

    private var toFirstLine: String { "\r" + (linesShown > 1 ? "\u{1B}[\(linesShown - 1)A" : "") }

    /// What cannot be written is not worth failing for.
    private static func writeToStandardError(_ text: String) {
        try? OutputFile.put(Data(text.utf8), into: STDERR_FILENO, path: "the standard error")
    }
}
