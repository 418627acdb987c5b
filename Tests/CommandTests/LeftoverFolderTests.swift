// What a command has left behind that was killed is gone when the next one has begun; what others still need stays.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct LeftoverFolderTests {
    private static func hold(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_SH) == 0)
        return descriptor
    }

    @Test func nextRunRemovesLeftoverFolders() throws {
        let place = try Workplace()
        // Homes of devices have short paths.
        let temporary = "/tmp/s\(getpid() % 1_000_000)l"
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let reports = place.folder.path + "/Reports"
        func make(_ path: String) throws -> String {
            try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/inside/file"))
            return path
        }
        let gone = [
            try make(temporary + "/stampede-99999991"), try make(reports + "/.stampede-small-reference-1.99999991-1"),
            try make(reports + "/.stampede-operations-1"),
        ]
        let held = [try make(temporary + "/stampede-99999992"), try make(reports + "/.stampede-other.99999992-1")]
        let others = [
            try make(temporary + "/stampede-notes"), try make(temporary + "/99999993"), try make(reports + "/.git"),
            try make(reports + "/.other.1-1"),
        ]
        let claims = try held.map(Self.hold)
        defer { for claim in claims { close(claim) } }
        let outcome = try place.run(
            Workplace.tool, ["run", try place.scenario(), "--quiet"], environment: ["TMPDIR": temporary])
        #expect(outcome.isStatus(.passed), "\(outcome)")
        for path in gone { #expect(!FileManager.default.fileExists(atPath: path), "\(path) is still there") }
        for path in held + others {
            #expect(FileManager.default.fileExists(atPath: path + "/inside/file"), "\(path) is gone")
        }
    }

    // The devices' files of a run that goes on are not another's to take away.
    @Test func nextRunKeepsFoldersOfARunInProgress() throws {
        let place = try Workplace()
        let temporary = "/tmp/s\(getpid() % 1_000_000)h"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let file = try place.longScenario()
        func folders() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: temporary).filter { $0.hasPrefix("stampede-") }
        }
        let shop = Workplace.built("ShopTool")
        let outcome = try place.run(
            shop, ["run", file, "--client", "file-shop", "--ignore-saturation", "--quiet"],
            environment: ["TMPDIR": temporary]
        ) { process in
            let deadline = ContinuousClock.now + .seconds(120)
            while try folders().isEmpty, ContinuousClock.now < deadline { usleep(20_000) }
            let before = try folders()
            #expect(!before.isEmpty, "no device has files")
            let other = try place.run(
                Workplace.tool, ["run", try place.scenario(), "--quiet", "--out", "Other"],
                environment: ["TMPDIR": temporary])
            #expect(other.isStatus(.passed), "\(other)")
            #expect(try folders() == before)
            kill(process.processIdentifier, SIGINT)
        }
        #expect(outcome.isStatus(.interrupted), "\(outcome)")
        #expect(try folders().isEmpty)
    }
}
