// What the doctor says: each finding in its words, and whether it stands in the way of a verdict.

import Engine
import Simulation
import Statics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct DoctorWordsTests {
    static let program: [(DoctorFinding.Program, DoctorReport.State, String)] = [
        (.runtimeInForce, .good, "Each device has its own"),
        (.runtimeAway(.staticRuntime), .bad, "build without -static-stdlib"),
        (.runtimeAway(.sanitizer), .bad, "build without --sanitize"),
        (.runtimeAway(nil), .bad, "start it without LD_PRELOAD"),
        (
            .untriedSwift(SwiftLibraries(isTried: false, missing: [])), .note,
            "This program is built with a version of Swift that simulated devices have not been tested with"
        ),
        (
            .untriedSwift(SwiftLibraries(isTried: true, missing: ["$s1", "$s2"])), .bad,
            "Swift's libraries lack 2 symbols that simulated devices need ($s1)"
        ),
        (.noOwnClients, .note, "the shipped clients keep no statics"),
        (.noStaticData, .good, "keep no static data"),
        (
            .staticData(owners: ["Shop": 12, "": 1]), .good,
            "Each device has its own static data of C (1 variable) and Shop (12 variables)"
        ),
        (.staticDataSharedUnderWallClock, .note, "Under the wall clock devices run at once and share static data"),
        (.stripped(path: "libshop.so"), .bad, "libshop.so has no symbols"),
        (.unplaced(variable: "count"), .note, "whose module is unknown: count"),
        (.unplaced(variable: nil), .note, "whose module is unknown"),
        (.noLines, .note, "there is no llvm-symbolizer"),
        (.signalsLeave, .note, "can signal other processes"),
    ]

    static let sources: [(DoctorFinding.Sources, DoctorReport.State, String)] = [
        (.noStoreKitGaps(places: ["App", "Kit"]), .good, "the code in App, Kit uses of StoreKit is simulated"),
        (
            .storeKitGap(.init("A.swift", 5), name: "StoreView", more: 0, compiles: false), .bad,
            "A.swift:5 uses StoreView, which"
        ),
        (
            .storeKitGap(.init("A.swift", 5), name: "showManageSubscriptions", more: 2, compiles: true), .note,
            "showManageSubscriptions (and other such parts at 2 more places): it compiles"
        ),
        (
            .subclassMethod(.init(type: "Sub", name: "done()", conforming: "Base", file: "S.swift", line: 7)), .bad,
            "S.swift:7: only the subclass Sub has done()"
        ),
        (
            .excludedMethods(
                .init("S.swift", 7), condition: "#if os(iOS)", isOfSystems: true, lines: 8...11, methods: ["done()"]),
            .bad,
            "S.swift:7: Linux does not compile lines 8 to 11, under `#if os(iOS)`"
        ),
        (
            .modulesNotImported(folder: "App", [.init("UIKit", .init("S.swift", 7), .name("UIScene"))]), .note,
            "Files in App use modules that they do not import on Linux: S.swift:7 uses UIScene of UIKit"
        ),
        (
            .productsImported([.init("os", .init("S.swift", 7), .plainImport)]), .note,
            "modules that Linux lacks and this package has: S.swift:7 imports os"
        ),
    ]

    static let client: [(DoctorFinding.Client, DoctorReport.State, String)] = [
        (.ended(Report.Reason(.clientRaised(times: 2)), evidence: "why"), .bad, "the client crashed 2 times"),
        (
            .asked(.purchase, times: 3, tried: 1), .good,
            "`purchase` was called 3 times, and the app called StoreKit once"
        ),
        (
            .askedInVain(.restore, times: 1, .unknown), .bad,
            "`restore` was called once, but the app never called StoreKit"
        ),
        (.unanswered(requests: 2, first: "request 1"), .bad, "The app did not answer 2 requests. The first: request 1"),
        (.answered(longest: 0), .good, "as soon as it was decided"),
        (.answered(longest: 1_000_000_000), .good, "at most 1s after it was decided"),
        (.answered(longest: 2_000_000_000), .note, "Answers come up to 2s after"),
        (.goodsShown, .good, "`holdings` showed the bought goods"),
        (.goodsNeverShown, .bad, "`holdings` never showed"),
        (.taskJobs(2), .good, "2 jobs of Swift's tasks ran"),
        (.noted("a note", isObstacle: true), .bad, "a note"), (.noted("a note", isObstacle: false), .note, "a note"),
        (.found([.init("lost-purchase", 1_200)]), .note, "The users found: lost-purchase 1,200"),
        (.foundNothing, .good, "found nothing wrong"),
    ]

    @Test func everyProgramAndSourceFindingHasItsText() {
        let section = DoctorReport.Section.ofProgram(Self.program.map(\.0), Self.sources.map(\.0))
        let expected = Self.program.map { ($0.1, $0.2) } + Self.sources.map { ($0.1, $0.2) }
        #expect(section.title == "The program" && section.checks.count == expected.count)
        for (check, (state, words)) in zip(section.checks, expected) {
            #expect(check.state == state && check.text.contains(words), "\(check)")
            // Whoever reads of an obstacle reads what to do about it.
            #expect(check.state != .bad || check.hint != nil, "\(check)")
        }
    }

    @Test func missingImportsFileIsReadyToPaste() throws {
        let uses: [DoctorFinding.ModuleUse] = [
            .init("AppleFoundation", .init("A.swift", 3), .name("URLSession")),
            .init("StoreKit", .init("B.swift", 2), .excludedImport(condition: "#if os(iOS)")),
            .init("UIKit", .init("C.swift", 1), .condition("#if canImport(UIKit)")),
        ]
        let section = DoctorReport.Section.ofProgram([], [.modulesNotImported(folder: "Sources/Shop", uses)])
        let check = try #require(section.checks.first)
        #expect(
            check.text.hasSuffix(
                "A.swift:3 uses URLSession of AppleFoundation; B.swift:2 imports StoreKit under `#if os(iOS)`, which Linux "
                    + "does not compile; C.swift:1 imports StoreKit under `#if canImport(UIKit)`, which Linux compiles only "
                    + "with UIKit"), "\(check)")
        #expect(
            check.hint
                == "add the products AppleFoundation, StoreKit and UIKit to the target's dependencies, and add one file, "
                + "Sources/Shop/AppleModules.swift:")
        let file = try #require(check.file)
        #expect(
            file.lines.suffix(3) == [
                "@_exported import AppleFoundation", "@_exported import StoreKit", "@_exported import UIKit",
            ])
        let report = DoctorReport(client: "mine", sections: [section])
        let text = DoctorText.render(report, next: nil, style: .plain)
        #expect(text.contains(file.lines.map { "      \($0)\n" }.joined()), "\(text)")
        // Beside an obstacle, where what is as it should be is left out.
        let others =
            [DoctorReport.Check](repeating: .init(.good, "fine"), count: 50) + [.init(.bad, "broken", hint: "mend")]
        let long = DoctorReport(client: "mine", sections: [section, .init("The rest", others)])
        let brief = DoctorText.render(long, next: nil, style: .plain, extent: .brief)
        #expect(brief.contains("@_exported import UIKit") && brief.contains("broken"), "\(brief)")
        #expect(!brief.contains("fine"), "\(brief)")
    }

    @Test func everyClientFindingHasItsText() {
        let section = DoctorReport.Section.ofClient("mine", users: 10, Self.client.map(\.0))
        #expect(section.title == "mine, by 10 users" && section.checks.count == Self.client.count)
        for (check, (_, state, words)) in zip(section.checks, Self.client) {
            #expect(check.state == state && check.text.contains(words), "\(check)")
        }
    }

    @Test(
        arguments: [
            (.missingReceipt, "SKReceiptRefreshRequest"), (.refused, "--catalog"),
            (.unknown, "check `fetchProducts`"),
        ] as [(DoctorFinding.Refusal, String)])
    func failedDoctorRequestHasItsRemedy(refusal: DoctorFinding.Refusal, words: String) throws {
        let section = DoctorReport.Section.ofClient("mine", users: 1, [.askedInVain(.fetch, times: 1, refusal)])
        #expect(section.title == "mine, by 1 user")
        #expect(try #require(section.checks.first?.hint).contains(words))
    }
}
