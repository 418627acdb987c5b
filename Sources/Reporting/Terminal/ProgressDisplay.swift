// The live line while a run is under way.
// Thread-safe through its lock. Reads a clock, for its own pace only.

import Foundation
import Simulation
import Text

/// One line on standard error: rewritten on a terminal, repeated now and then elsewhere.
// Unchecked: `lock` guards everything that changes.
package final class ProgressDisplay: @unchecked Sendable {
    private static let liveIntervalNanoseconds: Int64 = 100_000_000
    private static let plainIntervalNanoseconds: Int64 = 5_000_000_000

    private let isLive: Bool
    private let style: TerminalStyle
    private let columns: @Sendable () -> Int
    private let now: @Sendable () -> Int64
    private let output: @Sendable (String) -> Void

    private let lock = NSLock()
    private var nextAt: Int64
    private var isLineShown = false
    private var isFinished = false

    /// Writes to standard error.
    package convenience init() {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(STDERR_FILENO) == 1
        self.init(
            isLive: isTerminal && environment["TERM"] != "dumb",
            style: .style(isTerminal: isTerminal, environment: environment),
            columns: { TerminalStyle.columns(STDERR_FILENO) ?? 80 },
            now: { HostClock.nanoseconds }, output: Self.writeToStandardError)
    }

    /// - Parameters:
    ///   - isLive: rewrite one line rather than print new ones.
    ///   - now: nanoseconds of a clock that never goes back.
    package init(
        isLive: Bool, style: TerminalStyle, columns: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> Int64, output: @escaping @Sendable (String) -> Void
    ) {
        self.isLive = isLive
        self.style = style
        self.columns = columns
        self.now = now
        self.output = output
        // A short run prints no plain lines at all.
        nextAt = isLive ? Int64.min : now() + Self.plainIntervalNanoseconds
    }

    /// Shows this when it is time to show something; cheap otherwise.
    package func update(_ progress: RunProgress) {
        lock.withLock {
            guard !isFinished else { return }
            let instant = now()
            guard instant >= nextAt else { return }
            nextAt = instant + (isLive ? Self.liveIntervalNanoseconds : Self.plainIntervalNanoseconds)
            if isLive {
                // The last column stays free: writing it would wrap on some terminals.
                let line = Self.line(progress, width: max(20, columns() - 1), hasBar: true)
                output("\r" + (progress.violations > 0 ? style.paint(line, .bad) : line) + "\u{1B}[K")
                isLineShown = true
            } else {
                output(Self.line(progress, width: .max, hasBar: false) + "\n")
            }
        }
    }

    /// Takes the line away. Later updates show nothing.
    package func finish() {
        lock.withLock {
            if isLineShown { output("\r\u{1B}[K") }
            isLineShown = false
            isFinished = true
        }
    }

    /// Whole fields only, the most important first, as many as fit.
    static func line(_ progress: RunProgress, width: Int, hasBar: Bool) -> String {
        let fraction = progress.fraction.isFinite ? min(1, max(0, progress.fraction)) : 0
        let percent = TextLayout.paddedLeft("\(Int(fraction * 100))%", to: 4)
        var line = hasBar ? bar(fraction) + percent : "progress" + percent
        var fields = [
            "\(HumanNumbers.count(progress.done))/\(HumanNumbers.count(progress.total)) \(progress.unit)"
        ]
        let found = "\(HumanNumbers.count(progress.violations)) \(progress.violationsAreCalled)"
        if progress.violations > 0 { fields.append(found) }
        if let left = timeLeft(progress, fraction: fraction) { fields.append("\(left) left") }
        if let rate = progress.rate { fields.append("\(HumanNumbers.number(rate)) \(progress.unit)/s") }
        if progress.elapsedSeconds > 0, let purchases = progress.purchases {
            fields.append("\(HumanNumbers.number(Double(purchases) / progress.elapsedSeconds)) purchases/s")
        }
        if let p95 = progress.p95PurchaseNanoseconds {
            fields.append("p95 \(HumanNumbers.duration(nanoseconds: p95))")
        }
        if progress.violations == 0 { fields.append(found) }
        if progress.crashes > 0 { fields.append("\(HumanNumbers.count(progress.crashes)) crashes") }
        var lineWidth = line.count
        for field in fields {
            guard lineWidth + 2 + field.count <= width else { break }
            line += "  " + field
            lineWidth += 2 + field.count
        }
        return line
    }

    private static func bar(_ fraction: Double) -> String {
        let width = 12
        let full = Int(fraction * Double(width))
        return "[" + String(repeating: "█", count: full) + String(repeating: "░", count: width - full) + "]"
    }

    /// Nil while there is nothing to judge by.
    private static func timeLeft(_ progress: RunProgress, fraction: Double) -> String? {
        guard fraction >= 0.01, fraction < 1, progress.elapsedSeconds >= 0.5 else { return nil }
        let seconds = (progress.elapsedSeconds / fraction - progress.elapsedSeconds).rounded(.up)
        return HumanNumbers.duration(nanoseconds: seconds * 1e9)
    }

    /// What cannot be written is not worth failing for.
    private static func writeToStandardError(_ text: String) {
        try? OutputFile.put(Data(text.utf8), into: STDERR_FILENO, path: "the standard error")
    }
}
