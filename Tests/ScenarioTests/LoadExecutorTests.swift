// What every executor says of itself agrees with what it does.

import Foundation
import RunSupport
import Scenario
import Testing

@Suite struct LoadExecutorTests {
    /// An entry of each executor, with the keys that must be there.
    private static let entries = [
        "at-once": "", "per-user-iterations": "", "shared-iterations": "iterations: 5", "constant-users": "for: 5s",
        "ramping-users": "stages: [{over: 5s, to: 5}]", "constant-arrival-rate": "rate: 1/s, for: 5s",
        "ramping-arrival-rate": "stages: [{over: 5s, to: 5/s}]", "per-user-rate": "rate: 6/m, for: 5s",
    ]

    private static func entry(_ executor: any LoadExecutor.Type) throws -> LoadEntry {
        let keys = try #require(entries[executor.name], "\(executor.name) is not in this test")
        return try scenario(small(load: "- {journey: j, executor: \(executor.name), \(keys)}")).load[0]
    }

    @Test func executorNamesAreUnique() {
        #expect(Set(LoadExecutors.names).count == LoadExecutors.all.count)
        #expect(Set(Self.entries.keys) == Set(LoadExecutors.names))
    }

    @Test func executorReadsTheEntriesOfItsName() throws {
        for executor in LoadExecutors.all { #expect(type(of: try Self.entry(executor).executor) == executor) }
    }

    // What journeys may go on after is known where `graceful_stop` is allowed, and only there.
    @Test func executorsWithAnEndHaveALength() throws {
        for executor in LoadExecutors.all {
            let length = try Self.entry(executor).executor.schedule.length
            #expect((length != nil) == executor.hasEnd, "\(executor.name)")
        }
    }

    @Test(arguments: [
        ("at-once, users: 50", "at-once"),
        (
            "constant-arrival-rate, rate: 5/s, for: 9s, max_users: 50",
            "constant-arrival-rate, rate: 5/s, for: 9s"
        ),
        (
            "ramping-users, start_users: 5, stages: [{over: 5s, to: 4_000}, {over: 5s, to: 1}]",
            "ramping-users, start_users: 3, stages: [{over: 5s, to: 3}, {over: 5s, to: 1}]"
        ),
        ("no-such-thing, users: 50", "no-such-thing, users: 50"),
    ])
    func shrunkLoadEntryIsValidForFewUsers(written: String, expected: String) throws {
        let entry = try #require(ScenarioOutline(text: "{journey: j, executor: \(written)}"))
        #expect(LoadExecutors.shrunk(entry, to: 3) == ScenarioOutline(text: "{journey: j, executor: \(expected)}"))
    }

    @Test func everyExecutorKeyHasAMeaning() {
        for executor in LoadExecutors.all {
            #expect(executor.summary.hasSuffix("."), "\(executor.name)")
            for key in executor.ownKeys { #expect(!key.meaning.isEmpty, "\(executor.name): \(key.name)") }
        }
    }

    // The second column of the guide's table says how scenarios of this harness are written.
    @Test func guideHasARowForEveryExecutor() throws {
        let guide = PackageFolder.url.appendingPathComponent("Sources/Stampede/Stampede.docc/WriteAScenario.md")
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "|")
        }
        for executor in LoadExecutors.all {
            let row = rows.first { $0.count > 2 && $0[1].hasPrefix(" `\(executor.name)`: ") }
            let text = try #require(row, "\(executor.name) has no row")[1]
            for key in executor.ownKeys { #expect(text.contains("`\(key.name)"), "\(executor.name): \(key.name)") }
        }
    }
}
