// Reports on disk: whole or not at all.

import Files
import FolderSupport
import Foundation
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct ReportFolderTests {
    private func error(_ report: Report, _ directory: String, files: [String: Data] = [:]) -> FileError? {
        do {
            _ = try ReportFolder.write(report, into: directory, files: files)
            return nil
        } catch {
            return error
        }
    }

    @Test func reportFolderIsWrittenWholeAndLinked() throws {
        let scratch = try ScratchFolder()
        let reports = "\(scratch.path)/deep/Reports"
        let path = try ReportFolder.write(
            SampleReports.passed, into: reports, files: ["summary.txt": Data("hello".utf8)])
        #expect(path == "\(reports)/two-outages-reference-42")
        #expect(try scratch.names("deep/Reports") == ["latest", "two-outages-reference-42"])
        #expect(try scratch.names("deep/Reports/latest/") == ["report.json", "summary.txt"])
        let json = try Data(contentsOf: URL(fileURLWithPath: "\(reports)/latest/report.json"))
        #expect(try Report(json: json) == SampleReports.passed)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(reports)/latest")
                == "two-outages-reference-42", "relative, so that the folder can be moved")
    }

    @Test func existingReportFolderIsNeverTouched() throws {
        let scratch = try ScratchFolder()
        let first = try ReportFolder.write(SampleReports.passed, into: scratch.path)
        var others = [SampleReports.failed, SampleReports.unknown]
        for place in others.indices {
            others[place].scenario.file = SampleReports.passed.scenario.file
            others[place].run = SampleReports.passed.run
        }
        let second = try ReportFolder.write(others[0], into: scratch.path)
        let third = try ReportFolder.write(others[1], into: scratch.path)
        #expect(second == "\(first)-2")
        #expect(third == "\(first)-3")
        let json = try Data(contentsOf: URL(fileURLWithPath: "\(first)/report.json"))
        #expect(try Report(json: json).verdict.outcome == .passed)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/latest")
                == "two-outages-reference-42-3")
    }

    @Test func emptyFolderOfTheSameNameIsKept() throws {
        let scratch = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(scratch.path)/two-outages-reference-42", withIntermediateDirectories: false)
        #expect(try ReportFolder.write(SampleReports.passed, into: scratch.path).hasSuffix("-42-2"))
        #expect(try scratch.names("two-outages-reference-42").isEmpty)
    }

    @Test func fileInPlaceOfTheReportsFolderIsAnError() throws {
        let scratch = try ScratchFolder()
        let path = "\(scratch.path)/Reports"
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(
            error(SampleReports.passed, path)?.description
                == "\(path): Not a directory; move the existing file away, or name another folder with --out")
        #expect(error(SampleReports.passed, "\(path)/deeper")?.path == path)
        #expect(try scratch.names() == ["Reports"])
    }

    @Test func failedReportLeavesNoFile() throws {
        let scratch = try ScratchFolder()
        let failure = error(
            SampleReports.passed, scratch.path, files: ["a.txt": Data(), "no/such/folder.txt": Data("x".utf8)])
        #expect(failure?.reason == "No such file or directory")
        #expect(try scratch.names().isEmpty)
    }

    @Test func realFolderCalledLatestIsRefusedBeforeWriting() throws {
        let scratch = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(scratch.path)/latest", withIntermediateDirectories: false)
        #expect(error(SampleReports.passed, scratch.path)?.reason == "is not a symbolic link")
        #expect(try scratch.names() == ["latest"])
    }

    @Test func danglingLatestLinkIsReplaced() throws {
        let scratch = try ScratchFolder()
        try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/latest", withDestinationPath: "gone")
        _ = try ReportFolder.write(SampleReports.passed, into: scratch.path)
        #expect(try scratch.names("latest/") == ["report.json"])
    }

    @Test(arguments: [
        ("Scenarios/a b/../süß & co.yml", "my client", "s-co-my-client-7"), ("..", "../../etc", "The-name-etc-7"),
        ("", "x", "The-name-x-7"), ("plain", "a.b", "plain-a-b-7"),
    ])
    func folderNamesAreSafe(file: String, client: String, stem: String) {
        var report = SampleReports.passed
        report.scenario.file = file
        report.scenario.name = "The name"
        report.run.client = client
        report.run.seed = 7
        #expect(ReportFolder.folderStem(report) == stem)
    }

    // Several runs may end at the same moment.
    @Test func concurrentWritersGetSeparateFolders() async throws {
        let scratch = try ScratchFolder()
        let directory = scratch.path
        let paths = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try ReportFolder.write(SampleReports.unknown, into: directory) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(paths.count == 8)
        #expect(try scratch.names().count == 9)
    }
}
