// The kernel's figures, read from files as the kernel writes them.

import Foundation
import Host
import Metrics
import Testing

@Suite struct CPUStatisticsTests {
    /// A folder in the place of /proc.
    private func statistics(pressure: String?, stat: String?, at nanoseconds: Int64) throws -> CPUStatistics {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("pressure"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        try pressure.map { try Data($0.utf8).write(to: root.appendingPathComponent("pressure/cpu")) }
        try stat.map { try Data($0.utf8).write(to: root.appendingPathComponent("stat")) }
        return CPUStatistics.now(at: nanoseconds, root: root.path)
    }

    @Test func cpuSharesAreDifferencesOverTime() throws {
        let before = try statistics(
            pressure: "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\nfull avg10=0.00 total=5\n",
            stat: "cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n", at: 0)
        let after = try statistics(
            pressure: "some avg10=9.00 avg60=0.00 avg300=0.00 total=1500000\n",
            stat: "cpu  150 0 100 720 0 0 0 130 90 0\n", at: 2_000_000_000)
        #expect(after.pressure(since: before)?.value == 0.25)
        #expect(after.steal(since: before)?.value == 0.3)
        #expect(before.pressure(since: before) == nil && before.steal(since: before) == nil)
    }

    @Test(arguments: [nil, "", "full total=3\n", "some total=x\n", "nonsense"] as [String?])
    func unreadableKernelFilesMeasureNothing(text: String?) throws {
        let reading = try statistics(pressure: text, stat: text, at: 1)
        #expect(reading.stalled == nil && reading.stolen == nil)
        let later = CPUStatistics.now(at: 2)
        #expect(later.pressure(since: reading) == nil && later.steal(since: reading) == nil)
    }
}
