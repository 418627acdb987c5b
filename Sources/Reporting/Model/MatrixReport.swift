// What every client did in every scenario, as one value: terminal, Markdown and JSON are written from it.
// A value; any thread.

import ClientKit
package import Engine
import Judgement
import Metrics
import Scenario
import Simulation

package struct MatrixReport: JSONReport, Codable, Sendable, Equatable {
    /// In the order of the columns.
    package var clients: [String]
    package var rows: [Row]

    /// One scenario.
    package struct Row: Codable, Sendable, Equatable {
        package var scenario: String
        package var file: String
        package var users: Int
        package var seed: UInt64
        /// One for each client, in order; nil where the matrix was stopped before.
        package var cells: [Cell?]
    }

    /// One client in one scenario.
    package struct Cell: Codable, Sendable, Equatable {
        package var exitCode: Int
        package var critical: Int
        package var error: Int
        package var warning: Int
        /// Violations by rule, those without left out.
        package var rules: [String: Int]
        /// Charges whose goods the client had to bring.
        package var charges: Int
        package var lost: Int
        /// Nil where nothing was charged.
        package var lostPerTenThousand: Double?
        /// What users asked for and the client never tried: without violations there, it says nothing.
        package var untried: [String]
        /// Nil without answers.
        package var purchaseP95Ns: Int64?
    }

    package init(clients: [String]) {
        self.clients = clients
        rows = []
    }

    /// Whether any run shows a bug of the harness.
    package var hasFaults: Bool {
        rows.contains { $0.cells.contains { $0?.exitCode == Int(ExitStatus.harnessFault.rawValue) } }
    }
    package var hasViolations: Bool {
        rows.flatMap(\.cells).contains { cell in cell.map { $0.critical > 0 || $0.error > 0 } ?? false }
    }
    package var isWhole: Bool { rows.allSatisfy { $0.cells.allSatisfy { $0 != nil } } }
}

extension MatrixReport.Row {
    /// A row without cells yet.
    package init(_ options: RunOptions) {
        scenario = options.scenario.name
        file = options.scenario.path
        users = options.scenario.population.users
        seed = options.scenario.seed
        cells = []
    }
}

extension MatrixReport.Cell {
    package init(_ result: RunResult, options: RunOptions) {
        let counts = result.collector.counts
        func sum(_ severity: Severity) -> Int {
            counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
        }
        let broken = result.collector.violationCounts.merging(result.collector.warningCounts, uniquingKeysWith: +)
        exitCode = Int(
            result.verdict(result.judge(options.scenario.thresholdsInForce(for: options.client.name))).status.rawValue)
        critical = sum(.critical)
        error = sum(.error)
        warning = sum(.warning)
        rules = Dictionary(uniqueKeysWithValues: broken.map { ($0.key.rawValue, $0.value) })
        charges = result.collector.chargesToDeliver
        lost = broken[.lostPurchase] ?? 0
        untried = result.untried.map(\.rawValue)
        lostPerTenThousand = charges > 0 ? Double(lost) * 10_000 / Double(charges) : nil
        purchaseP95Ns = result.collector.tally.measurements[.purchaseDuration].response?.value(atPercentile: 95)
    }
}
