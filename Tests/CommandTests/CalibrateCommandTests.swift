// stampede calibrate: figures of this machine, whatever they are.

import Foundation
import Host
import Metrics
import ReportModel
import Reporting
import Testing

@Suite(.serialized) struct CalibrateCommandTests {
    @Test func everyFigureIsMeasured() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--json")
        #expect(outcome.isStatus(.passed) && outcome.errors.contains("measuring hops of bare Dispatch, 1 of 1"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let report = try decoder.decode(CalibrationReport.self, from: Data(outcome.out.utf8))
        var names: Set = [
            "dispatch_hops_per_second", "wall_purchases_per_second", "hops_per_purchase", "wall_share_of_dispatch",
            "virtual_purchases_per_second_one_worker", "virtual_time_per_purchase", "start_time",
        ]
        if report.cores > 1 { names.formUnion(["virtual_purchases_per_second", "virtual_scaling"]) }
        // Absent, not zero, where the allocator does not tell.
        if MemoryStatistics.isActive {
            names.formUnion(["bytes_per_serial_queue", "bytes_per_idle_user", "idle_users_in_queues"])
        }
        #expect(Set(report.figures.map(\.name)) == names)
        #expect(report.figures.allSatisfy { $0.value > 0 && $0.value.isFinite }, "\(report.figures)")
        let hops = try #require(report.figures.first { $0.name == "hops_per_purchase" })
        #expect(hops.value > 4 && hops.value < 60, "\(hops.value)")
        #expect(!place.exists("Reports"))
    }

    @Test func whatHasNoTimeIsLeftOut() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--json", "--time-limit", "1ms")
        #expect(outcome.isStatus(.unknown) && outcome.errors.contains("the time limit of 1ms was over"), "\(outcome)")
        #expect(!outcome.out.contains("start_time"), "\(outcome.out)")
    }

    @Test func theTableIsForPeople() throws {
        let place = try Workplace()
        let outcome = try place.stampede("calibrate", "--quick", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.out.hasPrefix("THIS MACHINE") && outcome.out.contains("≤ 4µs"))
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(outcome.out)")
    }
}
