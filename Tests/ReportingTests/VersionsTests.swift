// Versions that reports tell are those that the package is built from.

import Foundation
import Host
import Metrics
import RunSupport
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct VersionsTests {
    private func text(_ file: String) throws -> String {
        try String(contentsOf: PackageFolder.url.appendingPathComponent(file), encoding: .utf8)
    }

    @Test func changelogBeginsWithThisVersion() throws {
        let newest = try #require(text("CHANGELOG.md").firstMatch(of: /(?m)^## +(.*)$/))
        #expect(newest.1.prefix { $0 != " " } == StampedeVersion.current, "\(newest.1)")
    }

    @Test func packagesArePinnedToTheReportedVersions() throws {
        let manifest = try text("Package.swift")
        var pinned: [String: String] = [:]
        for match in manifest.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", exact: "([^"]+)"\)/) {
            pinned[String(match.1)] = String(match.2)
        }
        #expect(manifest.matches(of: /\.package\(/).count == pinned.count, "others are not pinned")
        // No program of ours holds them: tests compare with the one, and apps choose the other by its trait.
        #expect(pinned.removeValue(forKey: "hdrhistogram-swift") != nil)
        #expect(pinned.removeValue(forKey: "OpenCombine") != nil)
        #expect(pinned == Dependencies.packages)
    }

    @Test func reportedAllocatorVersionIsTheActiveOnes() {
        #expect(Dependencies.versions["jemalloc"] == MemoryStatistics.allocatorVersion)
        #expect((MemoryStatistics.allocatorVersion != nil) == MemoryStatistics.isActive)
        if let version = MemoryStatistics.allocatorVersion { #expect(version.contains(/^\d+\.\d+/), "\(version)") }
    }

    @Test func reportNamesItsDependencies() throws {
        #expect(SampleReports.passed.host.dependencies == Dependencies.packages)
        let json = String(decoding: try SampleReports.passed.json(), as: UTF8.self)
        #expect(json.contains("\"Yams\" : "), "names keep their spelling")
    }

    @Test func mergedReportNamesEveryDependencyVersion() throws {
        var reports = [SampleReports.unknown, SampleReports.unknown, SampleReports.unknown]
        for (place, versions) in [["Yams": "6.2.2", "jemalloc": "5"], [:], ["Yams": "6.2.1", "jemalloc": "5"]]
            .enumerated()
        {
            reports[place].run.seed = UInt64(place + 1)
            reports[place].host.dependencies = versions
        }
        func merged(_ reports: some Sequence<Report>) throws -> Report {
            try ReportMerge.merge(reports.map { ReportMerge.Source(path: "report", report: $0) })
        }
        #expect(try merged(reports).host.dependencies == ["Yams": "6.2.1; 6.2.2", "jemalloc": "5"])
        #expect(try merged(reports.reversed()).host.dependencies == merged(reports).host.dependencies)
        for place in reports.indices { reports[place].host.dependencies = [:] }
        #expect(try merged(reports).host.dependencies == [:])
    }
}
