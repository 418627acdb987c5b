// Reads a report back, for every command that is given one.
// Main thread.

import Engine
import Foundation
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

/// A report read back, and what it takes to run it again.
struct ReportSource {
    let report: Report

    static func load(_ path: String) throws -> ReportSource {
        guard let kind = Paths.kind(path) else {
            throw CommandProblem(
                "there is no report at \(path)", hint: "'stampede run' writes Reports/latest/report.json")
        }
        let file = kind == .folder ? Paths.join(path, "report.json") : path
        if kind == .folder, !Paths.exists(file) {
            throw CommandProblem(
                "there is no report.json in \(path)",
                hint: "each run has its own folder; Reports/latest is the folder of the latest run")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw CommandProblem("\(file) cannot be read")
        }
        do {
            let version = try Report.schemaVersion(json: data)
            guard version == Report.schemaVersionCurrent else {
                throw CommandProblem(
                    "\(file) has schema version \(version)",
                    hint: "this build reads version \(Report.schemaVersionCurrent); use the build that wrote the report"
                )
            }
            return ReportSource(report: try Report(json: data))
        } catch let error as DecodingError {
            throw CommandProblem(
                error, in: data, of: file,
                cutHint: "a run writes its report as a whole; perhaps a copy was cut off",
                hint: "this build reads report.json with schema version \(Report.schemaVersionCurrent)",
                key: name)
        }
    }

    /// As it stands in the file: `exit_code`.
    private static func name(_ key: any CodingKey) -> String {
        if let index = key.intValue { return "\(index)" }
        return key.stringValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }

    func evidence(_ number: Int, path: String) throws -> Report.Evidence {
        let evidence = report.evidence
        if let found = evidence.first(where: { $0.number == number }) { return found }
        let count = evidence.count
        throw CommandProblem(
            "there is no violation \(number) in \(path)",
            hint: count == 0 ? "the report has none" : "violations are numbered from 1 to \(count)")
    }

    /// The run that a violation was found in: of a merged report, that part.
    func part(of evidence: Report.Evidence) -> ReportSource {
        var part = report
        part.run.seed = evidence.seed ?? report.run.seed
        part.run.population = evidence.population ?? report.run.population
        return ReportSource(report: part)
    }

    /// The run that the report tells of.
    func runOptions(workers: Int? = nil) throws -> RunOptions {
        try CommandContext.runOptions(
            again: try CommandContext.scenario(
                text: report.scenario.source, file: report.scenario.file, client: report.run.client,
                catalog: report.scenario.catalog),
            seed: report.run.seed, clock: report.run.clock, population: report.run.population,
            client: report.run.client,
            clientOptions: report.run.clientOptions, workers: workers, subject: "the report's")
    }
}
