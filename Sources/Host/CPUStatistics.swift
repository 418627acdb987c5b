// What the kernel says of how busy the machine is.
// Reads /proc; any thread. Nil where the kernel does not tell.

import Foundation
package import Metrics

/// The processors of the machine at one moment; what happened since is the difference of two.
package struct CPUStatistics: Sendable, Equatable {
    /// Microseconds in which something that could run had to wait for a processor (pressure stall information).
    package let stalled: UInt64?
    /// Ticks that a hypervisor gave to others, and all ticks.
    package let stolen: UInt64?
    package let ticks: UInt64?
    /// Real nanoseconds.
    package let at: Int64

    /// - Parameter root: where the kernel's files are; another folder in tests.
    package static func now(at nanoseconds: Int64, root: String = "/proc") -> CPUStatistics {
        let pressure = try? String(contentsOfFile: root + "/pressure/cpu", encoding: .utf8)
        let (stolen, ticks) = times((try? String(contentsOfFile: root + "/stat", encoding: .utf8)) ?? "")
        return CPUStatistics(
            stalled: pressure.flatMap(stallTotal), stolen: stolen, ticks: ticks, at: nanoseconds)
    }

    /// `some avg10=… avg60=… avg300=… total=123`
    private static func stallTotal(_ text: String) -> UInt64? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
            let field = line.split(separator: " ").first(where: { $0.hasPrefix("total=") })
        else { return nil }
        return UInt64(field.dropFirst("total=".count))
    }

    /// `cpu  user nice system idle iowait irq softirq steal guest guest_nice`
    private static func times(_ text: String) -> (stolen: UInt64?, ticks: UInt64?) {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return (nil, nil) }
        let fields = line.split(separator: " ").dropFirst().compactMap { UInt64($0) }
        // Guests' time is in the user's already.
        guard fields.count >= 8 else { return (nil, nil) }
        return (fields[7], fields.prefix(8).reduce(0, +))
    }

    /// Share of the time since `earlier` in which something waited for a processor.
    package func pressure(since earlier: CPUStatistics) -> Quotient? {
        guard let stalled, let before = earlier.stalled, at > earlier.at, stalled >= before else { return nil }
        let time = Int128(at) - Int128(earlier.at)
        return Quotient(ExactSum(min(time, Int128(stalled - before) * 1_000)), over: ExactSum(time))
    }

    /// Share of the processors' time since `earlier` that others had.
    package func steal(since earlier: CPUStatistics) -> Quotient? {
        guard let stolen, let ticks, let stolenBefore = earlier.stolen, let ticksBefore = earlier.ticks,
            ticks > ticksBefore, stolen >= stolenBefore
        else { return nil }
        return Quotient(ExactSum(stolen - stolenBefore), over: ExactSum(ticks - ticksBefore))
    }
}
