// Shops as apps write them, with nothing added for Stampede: under the virtual clock what is found is the same as with the
// file that `stampede glue` prints.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct PlainShopTests {
    private static let tool = Workplace.built("ShopTool")

    /// The report without what differs by design; nil where a sanitizer keeps the runtime away.
    private func report(
        _ place: Workplace, _ client: String, _ scenario: String, workers: Int
    ) throws -> String? {
        let outcome = try place.run(
            Self.tool,
            [
                "run", scenario, "--client", client, "--users", "40", "--workers", "\(workers)", "--quiet",
                "--no-record",
            ])
        if outcome.errors.contains("it is built with a sanitizer") { return nil }
        let report = try place.withoutHost(try place.read("Reports/latest/report.json"))
        // The same files, by way of links.
        return String(decoding: report, as: UTF8.self).replacing("plain-shop", with: "shop")
            .replacing("Tests/Clients/PlainShop/", with: "Tests/Clients/Shop/")
    }

    private func expectSame(
        _ first: String, _ second: String?, at place: SourceLocation = #_sourceLocation
    ) throws {
        let found = difference(first, try #require(second))
        #expect(found == nil, "\(found ?? "")", sourceLocation: place)
    }

    @Test(arguments: ["quickstart", "crash-anywhere", "delivery-chaos", "restore-storm"])
    func plainShopGivesTheSameReportAsTheGluedShop(scenario: String) throws {
        let place = try Workplace()
        let file = Workplace.shipped(scenario)
        guard let plain = try report(place, "plain-shop", file, workers: 1) else { return }
        try expectSame(plain, report(place, "plain-shop", file, workers: 2))
        try expectSame(plain, report(place, "shop", file, workers: 1))
    }

    // Its worker waits, its main queue does not: everybody gets what they bought.
    @Test func shopThatWaitsOffTheMainQueueIsServed() throws {
        let place = try Workplace()
        try place.write(Self.waiting, to: "waiting.yml")
        guard let first = try report(place, "waiting-shop", "waiting.yml", workers: 1) else { return }
        try expectSame(first, report(place, "waiting-shop", "waiting.yml", workers: 2))
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.verdict.outcome == .passed, "\(report.violations.byRule)")
    }

    // Waiting on the main queue for what is told there ends at once, with what it waits for.
    @Test func shopThatBlocksItsMainQueueIsReportedAtOnce() throws {
        let place = try Workplace()
        try place.write(Self.stuck, to: "stuck.yml")
        guard try report(place, "stuck-shop", "stuck.yml", workers: 1) != nil else { return }
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.violations.byRule.map(\.rule) == ["client-hang"])
        let sentence = try #require(report.violations.evidence.first?.sentence)
        #expect(sentence.contains("waited in fetching products for a semaphore"), "\(sentence)")
    }

    // The person tries again, one launch after the other, and gives the app up; each comes some time after the last.
    @Test func appThatHangsInEveryLaunchIsLaunchedSixTimesPerUser() throws {
        let place = try Workplace()
        try place.write(
            Self.stuck
                + """
                network: {latency: {median: 60ms, p99: 600ms}}
                app: {relaunch_after: 10ms..200ms}

                """, to: "stuck.yml")
        guard try report(place, "stuck-at-launch-shop", "stuck.yml", workers: 2) != nil else { return }
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.verdict.exitCode == 107 && report.violations.byRule.map(\.rule) == ["client-hang"])
        #expect(report.violations.total == 40 * 6, "\(report.violations.total)")
    }

    // A client that waits for ever ends its trial, not its worker.
    @Test func sweepAndShrinkReportAShopThatBlocksItsMainQueue() throws {
        let place = try Workplace()
        try place.write(Self.stuck, to: "stuck.yml")
        let swept = try place.run(
            Self.tool, ["sweep", "stuck.yml", "--client", "stuck-shop", "--json", "--quiet"])
        if swept.errors.contains("it is built with a sanitizer") { return }
        #expect(swept.isStatus(.clientCrashed))
        #expect(swept.out.contains("client-hang"))
        #expect(swept.out.contains("waited in fetching products for a semaphore"))
        _ = try place.run(Self.tool, ["run", "stuck.yml", "--client", "stuck-shop", "--quiet"])
        let shrunk = try place.run(Self.tool, ["shrink", "Reports/latest", "--out", "small.yml"])
        #expect(shrunk.status == 0, "\(shrunk.errors)")
        #expect(try String(decoding: place.read("small.yml"), as: UTF8.self).contains("[fetch_products]"))
    }

    /// The same shop in five ways: with callbacks, on the main actor, as an actor that reads a stream, over operations, and with
    /// workers that wait.
    private static let five = ["callback", "main-actor", "actor", "operation", "waiting"]

    // All of them in all scenarios is `.ci/shops`.
    @Test(
        arguments: zip(
            five + ["file"], ["subscriptions", "delivery-chaos", "promoted-purchases", "refunds", "many-devices", nil]))
    func unchangedShopsPassShippedScenarios(name: String, also: String?) throws {
        let place = try Workplace()
        let client = name + "-shop"
        try place.write(Self.waiting, to: "waiting.yml")
        for scenario in ["waiting.yml", Workplace.shipped("crash-anywhere")]
            + (also.map { [Workplace.shipped($0)] } ?? [])
        {
            guard let first = try report(place, client, scenario, workers: 1) else { return }
            try expectSame(first, report(place, client, scenario, workers: 2))
            let report = try Report(json: try place.read("Reports/latest/report.json"))
            #expect(report.violations.byRule.isEmpty, "\(scenario) \(report.violations.byRule)")
            #expect(report.metrics.contains { $0.name == "deliveries" })
        }
    }

    // What the shop still has in memory is of an app that is gone: it is not asked again.
    @Test func goodsDeletedTwiceAreNotCountedAsHeld() throws {
        let place = try Workplace()
        try place.write(
            Self.waiting.replacing("restore, terminate]", with: "reinstall, reinstall]"), to: "twice.yml")
        guard try report(place, "callback-shop", "twice.yml", workers: 1) != nil else { return }
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.violations.byRule.isEmpty, "\(report.violations.byRule)")
    }

    // What a suspended task holds cannot be given back: each of these launches leaves the task that reads its stream behind.
    @Test func suspendedTasksOfCrashedAppsStayWithinWorkerMemory() throws {
        let place = try Workplace()
        try place.write(
            """
            name: crashes
            store: {catalog: FakeGame.storekit}
            population: {users: 2_000}
            app: {relaunch_after: 300ms}
            load: [{journey: unlucky, executor: at-once}]
            journeys:
              unlucky:
                - launch
                - repeat: {times: 5, steps: [crash, launch]}
            """, to: "crashes.yml")
        var resident: [Double] = []
        for memory in ["16", "1024"] {
            let outcome = try place.run(
                Self.tool,
                [
                    "run", "crashes.yml", "--client", "actor-shop", "--workers", "1", "--worker-memory", memory,
                    "--quiet",
                ])
            #expect(outcome.isStatus(.passed), "\(outcome.all)")
            let report = try place.report()
            #expect(report.metrics.first { $0.name == "crashes" }?.count == 10_000)
            let left = try #require(report.host.metrics.first { $0.name == "memory_left_per_launch" }?.value)
            #expect(left > 2_000, "\(left) bytes")
            resident.append(try #require(report.host.metrics.first { $0.name == "memory_resident" }?.value))
        }
        let mebibytes = resident.map { $0 / 1_048_576 }
        #expect(mebibytes[0] < 45 && mebibytes[1] > 55, "\(mebibytes)")
    }

    // What finishes before it delivers is found by trying each place to crash at, however it is written.
    @Test(arguments: five)
    func sweepFindsShopsThatFinishBeforeDelivering(name: String) throws {
        let place = try Workplace()
        try place.write(Self.stuck.replacing("users: 3", with: "users: 1"), to: "one.yml")
        let swept = try place.run(
            Self.tool, ["sweep", "one.yml", "--client", "hasty-\(name)-shop", "--json", "--quiet"])
        if swept.errors.contains("it is built with a sanitizer") { return }
        #expect(swept.isStatus(.violationsFound))
        #expect(swept.out.contains("lost-purchase"), "\(swept)")
        let careful = try place.run(Self.tool, ["sweep", "one.yml", "--client", "\(name)-shop", "--json", "--quiet"])
        #expect(careful.status == 0, "\(careful)")
    }

    // Each effect between two suspensions is a place to crash at.
    @Test func sweepCrashesBetweenSuspensionsOfATask() throws {
        let place = try Workplace()
        try place.write(Self.stuck.replacing("users: 3", with: "users: 1"), to: "one.yml")
        let swept = try place.run(Self.tool, ["sweep", "one.yml", "--client", "main-actor-shop", "--json", "--quiet"])
        if swept.errors.contains("it is built with a sanitizer") { return }
        #expect(swept.status == 0, "\(swept)")
        // The payment, the goods and the finish, each behind an await, are among them.
        #expect(swept.out.contains("\"effects\" : 8"), "\(swept)")
    }

    // A store on the main actor that StoreKit calls elsewhere ends the app, as on a phone.
    @Test func mainActorShopCalledOffTheMainQueueCrashes() throws {
        let place = try Workplace()
        try place.write(
            Self.waiting.replacing(
                "store: {", with: "store: {behaviour: {callback_queue: background}, "), to: "background.yml")
        guard try report(place, "trusting-shop", "background.yml", workers: 1) != nil else { return }
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.violations.byRule.map(\.rule).contains("client-crash"))
        let sentence = try #require(report.violations.evidence.first { $0.rule == "client-crash" }?.sentence)
        #expect(sentence.contains("main actor"), "\(sentence)")
    }

    // A write to a file is a place to crash at, and what it holds is what the launch after reads.
    @Test func sweepCrashesAtFileWrites() throws {
        let place = try Workplace()
        try place.write(Self.stuck.replacing("users: 3", with: "users: 1"), to: "one.yml")
        let swept = try place.run(Self.tool, ["sweep", "one.yml", "--client", "file-shop", "--json", "--quiet"])
        if swept.errors.contains("it is built with a sanitizer") { return }
        #expect(swept.status == 0, "\(swept)")
        // The goods, which become a file by its renaming, are among them.
        #expect(swept.out.contains("\"effects\" : 8"), "\(swept)")
        let hasty = try place.run(Self.tool, ["sweep", "one.yml", "--client", "hasty-file-shop", "--json", "--quiet"])
        #expect(hasty.isStatus(.violationsFound))
        #expect(hasty.out.contains("lost-purchase"), "\(hasty)")
    }

    // Its server answers late, sometimes not at all, and is down for a while: everybody gets what they bought.
    @Test func scenariosServerAnswersAShopsRequests() throws {
        let place = try Workplace()
        try place.write(Self.waiting + Self.server, to: "verified.yml")
        guard let first = try report(place, "verifying-shop", "verified.yml", workers: 1) else { return }
        try expectSame(first, report(place, "verifying-shop", "verified.yml", workers: 2))
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.violations.byRule.isEmpty, "\(report.violations.byRule)")
        #expect(report.host.notes.isEmpty, "\(report.host.notes)")
    }

    // A server that nobody described is told by its address, once, with what to write.
    @Test func runReportsUnknownServersWithAStubToWrite() throws {
        let place = try Workplace()
        try place.write(Self.waiting, to: "waiting.yml")
        let outcome = try place.run(
            Self.tool, ["run", "waiting.yml", "--client", "verifying-shop", "--users", "20", "--no-record"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        let said = (outcome.out + outcome.errors).replacing("\n", with: " ")
        let stub = "`http: [{url: 'https://api.example.com/verify', body: '{}'}]`"
        #expect(said.components(separatedBy: "https://api.example.com/verify").count == 3, "\(said)")
        #expect(said.replacing(#/ +/#, with: " ").contains(stub), "\(said)")
    }

    // Its devices run at once, each with threads or tasks of its own that wait.
    @Test(arguments: five + ["file", "verifying"])
    func shopsThatWaitPassUnderTheWallClock(name: String) throws {
        let place = try Workplace()
        let client = "own-\(name)-shop"
        try place.write(Self.waiting + Self.server, to: "waiting.yml")
        let outcome = try place.run(
            Self.tool,
            [
                "run", "waiting.yml", "--client", client, "--clock", "wall", "--users", "100",
                "--ignore-saturation", "--quiet", "--no-record",
            ])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.verdict.outcome == .passed, "\(report.violations.byRule)")
    }

    private static let stuck = """
        name: Stuck
        store: {catalog: FakeGame.storekit}
        population: {users: 3}
        load: [{journey: j, executor: at-once}]
        journeys: {j: [launch, fetch_products, {buy: extra_lives}, terminate]}

        """

    private static let server = """
        http:
          - url: https://api.example.com/verify
            method: POST
            body: good
            content_type: text/plain
            latency: 100ms..400ms
            errors: 10%
            outages: [{at: 1s, for: 2s, answer: timeout}]

        """

    private static let waiting = """
        name: Waiting
        store: {catalog: FakeGame.storekit}
        population: {users: 150, owns: {unlock_maps: 50%}}
        load: [{journey: j, executor: at-once}]
        journeys: {j: [launch, fetch_products, {buy: extra_lives}, restore, terminate]}

        """
}
