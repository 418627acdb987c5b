// From the results of runs to the cells of a matrix.
// Pure; any thread.

import ClientKit
package import Engine
import Judgement
import Metrics
package import ReportModel
import Scenario
import Simulation

extension MatrixReport.Row {
    /// A row without cells yet.
    package init(_ options: RunOptions) {
        self.init(
            scenario: options.scenario.name, file: options.scenario.path, users: options.scenario.population.users,
            seed: options.scenario.seed, cells: [])
    }
}

extension MatrixReport.Cell {
    package init(_ result: RunResult, options: RunOptions) {
        let counts = result.collector.counts
        func sum(_ severity: Severity) -> Int {
            counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
        }
        let broken = result.collector.violationCounts.merging(result.collector.warningCounts, uniquingKeysWith: +)
        let judged = result.judge(options.scenario.thresholdsInForce(for: options.client.name))
        let (charges, lost) = (result.collector.chargesToDeliver, broken[.lostPurchase] ?? 0)
        self.init(
            exitCode: Int(result.verdict(judged).status.rawValue), critical: sum(.critical), error: sum(.error),
            warning: sum(.warning),
            rules: Dictionary(uniqueKeysWithValues: broken.map { ($0.key.rawValue, $0.value) }), charges: charges,
            lost: lost, lostPerTenThousand: charges > 0 ? Double(lost) * 10_000 / Double(charges) : nil,
            untried: result.untried.map(\.rawValue),
            purchaseP95Ns: result.collector.tally.measurements[.purchaseDuration].response?.value(atPercentile: 95))
    }
}
