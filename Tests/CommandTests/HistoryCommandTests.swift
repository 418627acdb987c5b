// stampede history: what runs leave in the database, and what becomes of it.

import Foundation
import ReportModel
import Reporting
import RunStore
import Testing

@Suite struct HistoryCommandTests {
    private func runs(_ place: Workplace, _ database: String = "Reports/runs.sqlite") throws -> [StoredRun] {
        try RunDatabase.reading(place.folder.appendingPathComponent(database).path).runs()
    }

    @Test func historyRecordsEveryRun() throws {
        let place = try Workplace()
        let file = try place.scenario()
        // Neither a repository nor CI: no commit is known.
        let bare = ["GIT_CEILING_DIRECTORIES": place.folder.path, "GITHUB_SHA": "", "CI_COMMIT_SHA": ""]
        #expect(try place.stampede("run", file, "--quiet", environment: bare).isStatus(.passed))
        let lost = try place.stampede(
            "run", file, "--client", "iap-manager", "--quiet",
            environment: bare.merging(["GITHUB_SHA": "0123456789abcdef0123456789abcdef01234567"]) { $1 })
        #expect(lost.isStatus(.violationsFound))
        _ = try place.stampede("run", file, "--quiet", "--no-record")
        _ = try place.stampede("run", file, "--quiet", "--only-user", "3")
        let found = try runs(place)
        #expect(found.map(\.number) == [1, 2])
        #expect(found.map(\.run.exitCode) == [0, 110] && found.map(\.run.client) == ["reference", "iap-manager"])
        #expect(found[0].run.folder == "small-reference-1" && found[0].run.users == 30 && found[0].run.isWhole)
        #expect(found[0].run.commit == nil && found[0].run.isDirty == nil)
        #expect(found[1].run.commit == "0123456789abcdef0123456789abcdef01234567")
        let history = try RunDatabase.reading(place.folder.path + "/Reports/runs.sqlite")
        let names = try place.report("Reports/small-reference-1/report.json").measuredValues.map(\.name)
        #expect(Set(try history.figureNames()).isSuperset(of: names))
    }

    @Test func historyRecordsTheWorkingDirectorysCommit() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let commands = ["init -q", "add small.yml", "-c user.name=a -c user.email=b commit -qm c"]
        for command in commands { #expect(try place.shell("git \(command)").isStatus(.passed)) }
        _ = try place.stampede("run", file, "--quiet")
        _ = try place.scenario(extra: "# Changed.")
        _ = try place.stampede("run", file, "--quiet")
        let head = try place.shell("git rev-parse HEAD").out.trimmingCharacters(in: .newlines)
        let found = try runs(place).map(\.run)
        #expect(found.map(\.commit) == [head, head] && found.map(\.isDirty) == [false, true])
    }

    @Test func unwritableHistoryDoesNotChangeTheVerdict() throws {
        let place = try Workplace()
        let file = try place.scenario()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("Reports"), withIntermediateDirectories: false)
        try place.write("not a database", to: "Reports/runs.sqlite")
        let outcome = try place.stampede("run", file, "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.out.isEmpty)
        let words = "warning: the run is not recorded: Reports/runs.sqlite is not a database"
        #expect(outcome.errors.contains(words) && outcome.errors.contains("--no-record"), "\(outcome.errors)")
        #expect(try place.read("Reports/runs.sqlite") == Data("not a database".utf8))
        #expect(place.exists("Reports/latest/report.json"))
        let lost = try place.stampede("run", file, "--quiet", "--client", "iap-manager")
        #expect(lost.isStatus(.violationsFound) && lost.errors.contains("warning:"))
    }

    // MARK: Looking up

    /// Two clients, one of them three times.
    private func place() throws -> Workplace {
        let place = try Workplace()
        let file = try place.scenario()
        for client in ["reference", "reference", "iap-manager", "reference"] {
            _ = try place.stampede("run", file, "--client", client, "--quiet", "--out", "out")
        }
        return place
    }

    @Test func historyListsRunsAndShowsFigures() throws {
        let place = try place()
        let base = ["history", "--database", "out/runs.sqlite"]
        let list = try place.stampede(base)
        #expect(list.isStatus(.passed) && list.out.split(separator: "\n").count == 5, "\(list)")
        #expect(list.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let newest = try place.stampede(base + ["--client", "reference", "--limit", "2", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(newest.out.utf8)) as? [String: [[String: Any]]]
        #expect(object?["runs"]?.compactMap { $0["run"] as? Int } == [2, 4])

        let shown = try place.stampede(base + ["purchase_duration.p95", "--scenario", "small"])
        #expect(shown.isStatus(.passed) && shown.out.contains("no change in 3 runs"), "\(shown)")
        let json = try place.stampede(base + ["violations", "--json"])
        let trend = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect((trend?["series"] as? [Any])?.count == 2)
        let page = try place.stampede(base + ["violations", "--html", "trend.html"])
        #expect(page.isStatus(.passed) && page.all.isEmpty)
        #expect(String(decoding: try place.read("trend.html"), as: UTF8.self).contains("<h1>violations</h1>"))
        let overview = try place.stampede(base + ["--html", "overview.html"])
        #expect(overview.isStatus(.passed) && overview.all.isEmpty)
        let text = String(decoding: try place.read("overview.html"), as: UTF8.self)
        #expect(text.contains("<h1>Recorded runs</h1>") && text.contains("series"))
    }

    @Test func reportComparesWithEarlierRunsOfTheSameSeed() throws {
        let place = try Workplace()
        let file = try place.scenario()
        for _ in 0..<2 { #expect(try place.stampede("run", file, "--quiet").isStatus(.passed)) }
        _ = try place.stampede("run", file, "--quiet", "--seed", "9")
        let reports = try ["", "-2"].map { try place.report("Reports/small-reference-1\($0)/report.json") }
        #expect(reports[0].host.earlier == nil && reports[1].host.earlier?.run == 1)
        let page = String(decoding: try place.read("Reports/small-reference-1-2/report.html"), as: UTF8.self)
        #expect(page.contains("as before") && page.contains("Compared with run 1 of "))
        #expect(try place.report("Reports/latest/report.json").host.earlier == nil, "another seed")
    }

    @Test(arguments: [
        (["purchase_duratoin.p95"], "did you mean 'purchase_duration.p95'?"),
        (["purchase_duration"], "it has 'purchase_duration avg'"),
        (["restore_duration.p95"], "no recorded run has measured 'restore_duration p(95)'"),
        (["--scenario", "smal"], "did you mean 'Small'?"), (["--client", "referense"], "did you mean 'reference'?"),
        (["--limit", "0"], "--limit 0"),
        (["violations", "--json", "--html", "-"], "not both"), (["violations", "--noise", "much"], "is not a share"),
        (["--database", "nowhere.sqlite"], "there is no database at nowhere.sqlite"),
        (["--database", "small.yml"], "small.yml is not a database"), (["--database", "out"], "out is a folder"),
    ])
    func historyRefusesUnknownFiguresAndNames(arguments: [String], words: String) throws {
        let base = ["history"] + (arguments.contains("--database") ? [] : ["--database", "out/runs.sqlite"])
        let outcome = try place().stampede(base + arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.out.isEmpty)
    }
}
