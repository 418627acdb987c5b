// stampede doctor: what stands in the way of judging a client, and what to do about it.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct DoctorCommandTests {
    private let shops = Workplace.built("ShopTool")

    private func doctor(_ place: Workplace, _ arguments: String...) throws -> Outcome {
        try place.run(shops, ["doctor"] + arguments)
    }

    private func write(_ text: String, to path: String, in place: Workplace) throws {
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent(path).deletingLastPathComponent(),
            withIntermediateDirectories: true)
        try place.write(text, to: path)
    }

    @Test func doctorFindsNoObstacleInAJudgeableClient() throws {
        let place = try Workplace()
        let outcome = try place.stampede("doctor")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.out.contains("Nothing prevents a verdict on reference.\n  next: stampede "))
        for words in ["Each device has its own", "`purchase` was called", "`holdings` showed", "found nothing wrong"] {
            #expect(outcome.prose.contains(words), "\(words): \(outcome.out)")
        }
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
        // Nothing is left behind.
        #expect(try place.names() == ["FakeGame.storekit", "Sources"])
    }

    // A client that knows its own products only, over somebody else's catalog.
    @Test func doctorNamesAMemberThatHasNoEffect() throws {
        let place = try Workplace()
        let outcome = try place.stampede("doctor", "--client", "iap-manager")
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        #expect(outcome.prose.contains("✗ `purchase` was called") && outcome.prose.contains("--catalog"), "\(outcome)")
        let own = try place.stampede("doctor", "--client", "iap-manager", "--catalog", "FakeGame.storekit")
        #expect(own.isStatus(.passed) && own.prose.contains("· The users found: "), "\(own)")
    }

    @Test func doctorReportsStaticsAndSwiftTasks() throws {
        let place = try Workplace()
        let outcome = try doctor(place, "--client", "main-actor-shop", "--catalog", "FakeGame.storekit")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.prose.contains("jobs of Swift's tasks ran as events of their devices"), "\(outcome)")
        #expect(outcome.prose.contains("PlainShop (") && outcome.prose.contains("perDevice"), "\(outcome)")
        let callbacks = try doctor(place, "--client", "callback-shop", "--catalog", "FakeGame.storekit")
        #expect(callbacks.isStatus(.passed) && !callbacks.prose.contains("Swift's tasks"), "\(callbacks)")
    }

    @Test func doctorReportsAClientThatWaitsForEver() throws {
        let place = try Workplace()
        let outcome = try doctor(place, "--client", "stuck-shop", "--catalog", "FakeGame.storekit")
        #expect(outcome.isStatus(.unknown) && outcome.prose.contains("for a semaphore"), "\(outcome)")
    }

    @Test func doctorReportsAProgramWithoutSymbols() throws {
        let place = try Workplace()
        let copy = place.folder.appendingPathComponent("stripped")
        try FileManager.default.copyItem(at: shops, to: copy)
        #expect(try place.shell("strip stripped").status == 0)
        let outcome = try place.run(copy, ["doctor", "--client", "callback-shop", "--catalog", "FakeGame.storekit"])
        #expect(outcome.isStatus(.unknown) && outcome.prose.contains("has no symbols"), "\(outcome)")
    }

    @Test func doctorFindsPartsOfStoreKit2ThatAreNotSimulated() throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("App/.build"), withIntermediateDirectories: true)
        try place.write(
            """
            import StoreKit
            // ProductView( comes later.
            let text = "ProductView("
            func show() async throws {
                show(ProductView(id: "x"))
                let product = try await AdvancedCommerceProduct(id: "x")
                try await AppStore.showManageSubscriptions(in: scene)
            }

            """, to: "App/Store.swift")
        // What a build has made is not looked at.
        try place.write("let view = StoreView(ids: [])\n", to: "App/.build/Made.swift")
        let outcome = try place.stampede("doctor", "--sources", "App")
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = outcome.prose
        #expect(
            text.contains(
                "App/Store.swift:5 uses ProductView (and other such parts at 1 more place), which Stampede's StoreKit"
            )
                && text.contains(
                    "App/Store.swift:7 uses showManageSubscriptions: it compiles, and is not simulated yet"),
            "\(text)")
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent("App/Store.swift"))
        let clean = try place.stampede("doctor", "--sources", "App")
        #expect(
            clean.isStatus(.passed) && clean.prose.contains("the code in App uses of StoreKit is simulated"), "\(clean)"
        )
        #expect(clean.prose.contains("the users below run the shipped client reference"), "\(clean)")
    }

    // Under `#if os(iOS)` there is no method here, and StoreKit asks the default.
    @Test func doctorNamesMethodsThatLinuxLeavesOut() throws {
        let place = try Workplace()
        try place.write(
            """
            import StoreKit
            #if os(iOS)
            import UIKit
            #endif
            final class Shop: NSObject, SKPaymentTransactionObserver {
                func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
            #if os(iOS) || os(tvOS)
                /* Of the store's own page. */
                func paymentQueue(
                    _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
                ) -> Bool { true }
            #endif
            #if os(iOS) || os(Linux)
                func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
            #elseif os(macOS)
                func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
            #endif
            #if DEBUG
                func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
            #endif
            }

            """, to: "Shop.swift")
        let outcome = try place.stampede("doctor", "--sources", "Shop.swift")
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = outcome.prose
        #expect(
            text.contains(
                "✗ Shop.swift:7: Linux does not compile lines 8 to 11, under `#if os(iOS) || os(tvOS)`, so StoreKit does not call "
                    + "their methods: paymentQueue(_:shouldAddStorePayment:for:)"), "\(text)")
        #expect(text.contains("write `#if os(iOS) || os(tvOS) || os(Linux)`"), "\(text)")
        #expect(text.contains("1 thing to fix"), "\(text)")
    }

    /// What Apple's systems bring along by another import, and what stands under a condition.
    private static let imports: [(file: String, text: String, words: String)] = [
        (
            "Scene.swift",
            """
            import StoreKit
            #if canImport(UIKit)
            func show(in scene: UIScene) {}
            #endif
            """, "Scene.swift:3 uses UIScene of UIKit"
        ),
        (
            "Token.swift",
            """
            import Foundation
            let query = [kSecClass as String: kSecClassGenericPassword]
            """, "Token.swift:2 uses kSecClass of AppleFoundation"
        ),
        (
            "Request.swift",
            """
            import StoreKit
            func send(_ request: URLRequest) {}
            """, "Request.swift:2 uses URLRequest of AppleFoundation"
        ),
        (
            "Model.swift",
            """
            import struct Foundation.Data
            final class Model: ObservableObject {}
            """, "Model.swift:2 uses ObservableObject of Combine"
        ),
        (
            "Queue.swift",
            """
            #if os(iOS)
            @preconcurrency import StoreKit
            #endif
            let queue = SKPaymentQueue.default()
            """, "Queue.swift:2 imports StoreKit under `#if os(iOS)`, which Linux does not compile"
        ),
        (
            "Whole.swift",
            """
            #if canImport(UIKit) && !os(watchOS)
            import StoreKit
            import UIKit
            let queue = SKPaymentQueue.default()
            #endif
            """,
            "Whole.swift:2 imports StoreKit under `#if canImport(UIKit) && !os(watchOS)`, which Linux compiles only with UIKit"
        ),
    ]

    @Test func doctorNamesModulesThatAFileDoesNotImport() throws {
        let place = try Workplace()
        for (index, entry) in Self.imports.enumerated() {
            try write(entry.text, to: "App/Sources/Kit\(index)/\(entry.file)", in: place)
        }
        let outcome = try place.stampede("doctor", "--sources", "App")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        for (index, entry) in Self.imports.enumerated() {
            let folder = "App/Sources/Kit\(index)"
            let sentence = "· Files in \(folder) use modules that they do not import on Linux: \(folder)/\(entry.words)"
            #expect(outcome.prose.contains(sentence), "\(sentence): \(outcome)")
            #expect(outcome.prose.contains("add one file, \(folder)/AppleModules.swift:"), "\(outcome)")
        }
    }

    // Against: what is under a condition compiles without the product.
    @Test func doctorNamesProductsThatTheCodeImports() throws {
        let place = try Workplace()
        let shop = "import Foundation\nimport StoreKit\nimport os\n#if canImport(UIKit)\nimport UIKit\n#endif\n"
        try write(shop, to: "App/Sources/Shop.swift", in: place)
        try write("import SwiftUI\n", to: "App/Sources/Model.swift", in: place)
        let outcome = try place.stampede("doctor", "--sources", "App")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.prose.contains("App/Sources/Shop.swift:3 imports os"), "\(outcome)")
        #expect(
            outcome.prose.contains("the target needs the products StoreKit, SwiftUI and os among its"), "\(outcome)")
        #expect(!outcome.prose.contains("swarm --client"), "\(outcome)")
    }

    @Test func doctorPrintsTheMissingImportsFileForEachModule() throws {
        let place = try Workplace()
        for (file, text, _) in Self.imports { try write(text, to: "App/Sources/Shop/\(file)", in: place) }
        try write("import StoreKit\nlet screen = UIDevice.current\n", to: "App/Sources/Kit/Screen.swift", in: place)
        let advice = try place.stampede("doctor", "--sources", "App")
        let shop = """
                  // Modules that other imports include on Apple's systems, for all files of this module.
                  @_exported import AppleFoundation
                  @_exported import Combine
                  @_exported import StoreKit
                  @_exported import UIKit

            """
        #expect(advice.out.contains(shop), "\(advice)")
        #expect(advice.prose.contains("App/Sources/Kit/AppleModules.swift:"), "\(advice)")
        try place.write(shop, to: "App/Sources/Shop/AppleModules.swift")
        try place.write("@_exported import UIKit\n", to: "App/Sources/Kit/AppleModules.swift")
        // One target has the whole folder of its package.
        try write(
            "import PackageDescription\nlet targets = [Target.target(name: \"Old\", path: \"Sources\")]\n",
            to: "Old/Package.swift", in: place)
        try write("import StoreKit\nlet screen = UIDevice.current\n", to: "Old/Sources/Screens/Screen.swift", in: place)
        let old = try place.stampede("doctor", "--sources", "Old")
        #expect(old.prose.contains("add one file, Old/Sources/AppleModules.swift:"), "\(old)")
        let after = try place.stampede("doctor", "--sources", "App")
        #expect(after.isStatus(.passed) && !after.prose.contains("do not import on Linux"), "\(after)")
    }

    private static let complete = [
        "import StoreKit\nimport UIKit\nfunc show(in scene: UIScene) {}",
        "import StoreKit\nfinal class UIScene {}\nfunc show(in scene: UIScene) {}",
        "import StoreKit\n#if os(iOS)\nfunc show(in scene: UIScene) {}\n#endif",
        "import Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\nvar send: URLRequest?",
        "import Foundation\nimport Security\nlet name = kSecClass",
        "import StoreKit\n// UIScene\nlet text = \"UIScene\"",
        "#if canImport(StoreKit)\nimport StoreKit\nlet queue = SKPaymentQueue.default()\n#endif",
        "#if os(iOS)\nimport StoreKit\nlet queue = SKPaymentQueue.default()\n#endif",
    ]

    @Test func doctorAsksForNoImportsFileIfImportsAreComplete() throws {
        let place = try Workplace()
        for (index, text) in Self.complete.enumerated() {
            try write(text, to: "App/Sources/Kit\(index)/Shop.swift", in: place)
        }
        let outcome = try place.stampede("doctor", "--sources", "App")
        #expect(outcome.isStatus(.passed) && !outcome.prose.contains("do not import on Linux"), "\(outcome)")
    }

    @Test func doctorAdvisesAnAppThatReadsItsReceiptFirst() throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool, ["doctor", "--client", "receipt-first", "--catalog", "FakeGame.storekit"])
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = outcome.prose
        #expect(text.contains("the app looked for its receipt, but there was none"), "\(text)")
        #expect(!text.contains("check `purchase`"), "\(text)")
    }

    @Test func doctorSaysHowAClientHearsStoreKit2() throws {
        let place = try Workplace()
        let outcome = try place.stampede("doctor", "--client", "storekit2")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        let text = outcome.prose
        #expect(text.contains("✓ The app uses these parts of StoreKit 2: Product.purchase, Transaction."), "\(text)")
        #expect(text.contains("✓ Where StoreKit cannot verify half of the transactions at first"), "\(text)")
        #expect(!text.contains("· The app"), "\(text)")
        // Nothing of it is printed for a client of the original API.
        #expect(try !place.stampede("doctor").prose.contains("parts of StoreKit 2"))
    }

    @Test(arguments: [
        (
            [],
            [
                "· The app never reads `Transaction.updates`", "· The app reads neither `Transaction.unfinished` nor",
                "could not verify half of the transactions at first, the users also found: unverified-delivery",
                "✗ The app sends what StoreKit signed to a server that the scenario does not describe",
            ]
        ),
        (["listens=late"], ["· The app began to read `Transaction.updates` after its launch: launch "]),
        (["listens=once"], ["· The app stopped reading `Transaction.updates`: in launch "]),
    ])
    func doctorSaysWhatAClientDoesNotHearOfStoreKit2(options: [String], words: [String]) throws {
        let place = try Workplace()
        let settings = options.flatMap { ["--client-option", $0] }
        let outcome = try place.run(Workplace.faultyTool, ["doctor", "--client", "careless", "--verbose"] + settings)
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        for words in words { #expect(outcome.prose.contains(words), "\(words): \(outcome.prose)") }
    }

    @Test func doctorPrintsJSONForPrograms() throws {
        let place = try Workplace()
        let outcome = try place.stampede("doctor", try place.scenario(), "--client", "template", "--json")
        let report = try JSONDecoder().decode(DoctorReport.self, from: Data(outcome.out.utf8))
        #expect(report.client == "template" && report.obstacles == 0 && report.sections.count == 2)
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        (["--sources", "nowhere"], "--sources nowhere: there is no such file or folder"),
        (["--client", "nobody"], "there is no client 'nobody'"),
        (["nowhere.yml"], "nowhere.yml: error: no such file"),
        (["nowhere.yml", "--catalog", "FakeGame.storekit"], "--catalog cannot be used with a scenario"),
    ])
    func doctorRefusesBadArguments(arguments: [String], words: String) throws {
        let outcome = try Workplace().stampede(["doctor"] + arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words) && outcome.out.isEmpty, "\(outcome)")
    }

    @Test func doctorAsksWhichOfSeveralClients() throws {
        let outcome = try doctor(try Workplace())
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("choose one with --client: actor-shop"))
    }
}
