// stampede calibrate: figures of this machine, whatever they are.

import Foundation
import Host
import Metrics
import ReportModel
import Reporting
import Testing

@Suite(.serialized) struct CalibrateCommandTests {
    @Test func calibrateMeasuresEveryFigure() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--json")
        #expect(
            outcome.isStatus(.passed) && outcome.errors.contains("measuring purchases under the wall clock, 1 of 1"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let report = try decoder.decode(CalibrationReport.self, from: Data(outcome.out.utf8))
        var names: Set = [
            "wall_purchases_per_second", "virtual_purchases_per_second_one_worker", "start_time",
        ]
        if report.cores > 1 { names.insert("virtual_purchases_per_second") }
        // Absent, not zero, where the allocator does not tell.
        if MemoryStatistics.isActive { names.insert("bytes_per_idle_user") }
        #expect(Set(report.figures.map(\.name)) == names)
        #expect(report.figures.allSatisfy { $0.value > 0 && $0.value.isFinite }, "\(report.figures)")
        #expect(!place.exists("Reports"))
    }

    @Test func calibrateLeavesOutFiguresBeyondTheTimeLimit() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--json", "--time-limit", "1ms")
        let words = "the time limit of 1ms ended before every figure was taken"
        #expect(outcome.isStatus(.unknown) && outcome.errors.contains(words), "\(outcome)")
        #expect(!outcome.out.contains("start_time"), "\(outcome.out)")
    }

    @Test func calibratePrintsATableWithin80Columns() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.out.hasPrefix("THIS MACHINE") && outcome.out.contains("virtual clock, one core"))
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(outcome.out)")
    }
}
