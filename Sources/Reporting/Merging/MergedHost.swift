// The machines that shared runs, or the parts of one, as one host section.
// Pure; any thread.

import ReportModel

extension Report.Host {
    /// The earliest start, the real time of all together, the most workers, cores and memory; without metrics and thresholds.
    ///
    /// - Parameter machines: in the order in which they are told; one at least.
    init(of machines: [Report.Host]) {
        // Sorted, so that rounding does not depend on the order of the reports.
        let seconds = machines.map(\.durationSeconds).sorted().reduce(0, +)
        var systems: [String] = []
        for machine in machines where !systems.contains(machine.system) { systems.append(machine.system) }
        let purchases = machines.compactMap { machine in machine.purchasesPerSecond.map { $0 * machine.durationSeconds }
        }
        self.init(
            startedAt: machines.map(\.startedAt).min() ?? "", durationSeconds: seconds,
            workers: machines.map(\.workers).max() ?? 0, cores: machines.map(\.cores).max() ?? 0,
            system: systems.joined(separator: "; "), memoryPeakBytes: machines.compactMap(\.memoryPeakBytes).max(),
            purchasesPerSecond: purchases.isEmpty || seconds <= 0 ? nil : purchases.sorted().reduce(0, +) / seconds)
        dependencies = Self.dependencies(of: machines)
        parts = machines
        for note in machines.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    }

    private static func dependencies(of machines: [Report.Host]) -> [String: String] {
        var versions: [String: Set<String>] = [:]
        for (name, version) in machines.flatMap(\.dependencies) { versions[name, default: []].insert(version) }
        return versions.mapValues { $0.sorted().joined(separator: "; ") }
    }
}
