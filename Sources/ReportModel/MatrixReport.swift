// What every client did in every scenario, as one value: terminal, Markdown and JSON are written from it.
// A value; any thread.

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

        package init(scenario: String, file: String, users: Int, seed: UInt64, cells: [Cell?]) {
            (self.scenario, self.file, self.users, self.seed, self.cells) = (scenario, file, users, seed, cells)
        }
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

        package init(
            exitCode: Int, critical: Int, error: Int, warning: Int, rules: [String: Int], charges: Int, lost: Int,
            lostPerTenThousand: Double? = nil, untried: [String], purchaseP95Ns: Int64? = nil
        ) {
            (self.exitCode, self.critical, self.error, self.warning) = (exitCode, critical, error, warning)
            (self.rules, self.charges, self.lost) = (rules, charges, lost)
            (self.lostPerTenThousand, self.untried) = (lostPerTenThousand, untried)
            self.purchaseP95Ns = purchaseP95Ns
        }
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
