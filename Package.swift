// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The layers, lowest first. A target imports only targets above it in this list;
// `.ci/check-layers` holds that, and that folders of one target see only downward.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Purchase code as apps are built.
let asApps: [SwiftSetting] = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]

// The tests run the engine over and over: where this package is built by itself, the engine is optimised in debug builds too,
// with its assertions. Purchase code, specimens and tests are not, and nothing is for packages that depend on this one: they would
// wait for it, and may not depend on a released version with such flags.
let isBuiltByItself = Context.environment["PWD"] == Context.packageDirectory
let engine: [SwiftSetting] =
    strict + (isBuiltByItself ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])
let engineC: [CSetting] = isBuiltByItself ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []

/// Folders of the app runtime in C: each sees the others' headers.
let runtimeRooms = ["Dispatch", "Escape", "Files", "Foundation", "Linking", "Network", "System", "Tasks"]
/// Everything in Sources beside these folders: for targets that have folders in two places.
func allBut(_ sources: [String], in folder: String = "") -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(Context.packageDirectory)/Sources/\(folder)")
    return (names ?? []).sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }.flatMap { place in
        if sources.contains(place) { return [String]() }
        return sources.contains { $0.hasPrefix("\(place)/") } ? allBut(sources, in: place) : [place]
    }
}
/// A product of OpenCombine's, with the trait of our module.
func openCombine(_ name: String) -> Target.Dependency {
    .product(name: name, package: "OpenCombine", condition: .when(traits: ["Combine"]))
}
/// Clients that somebody has judged beforehand.
func judged(_ name: String, in folder: String, _ settings: [SwiftSetting], using: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: ["Judging", "Stampede", "ClientKit", "StoreKit", "Security"] + using,
        path: "Tests/Clients/Judged/\(folder)", swiftSettings: settings)
}
let lists: [Target.Dependency] = ["UnusualClients", "BrokenClients", "StoreKit2Unusual", "StoreKit2Broken"]
let judges: [Target.Dependency] = ["Judging", "Judges"] + lists
let simulationFolders = ["Simulation", "Hosting/Apps", "Hosting/Deaths/Leaving"]
let clientKitFolders = ["ClientKit", "Hosting/Foundation"]

let starterSources = [
    "Inventory", "StoreListener", "CallbackManager", "CallbackClient", "AsyncManager", "AsyncClient", "ActorManager",
    "ActorClient", "SimulatedReceipt", "StoreKit2Inventory", "StoreKit2Manager", "StoreKit2Client", "PurchaseTests",
]

let package = Package(
    name: "stampede",
    products: [
        .executable(name: "stampede", targets: ["StampedeTool"]),
        .library(name: "Stampede", targets: ["Stampede"]),
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "StampedeTesting", targets: ["StampedeTesting"]),
        // What purchase code imports and Linux lacks, each for whoever depends on it: Shims.md.
        .library(name: "AppleFoundation", targets: ["AppleFoundation"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "Network", targets: ["Network"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "SystemConfiguration", targets: ["SystemConfiguration"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
        .library(name: "os", targets: ["os"]),
    ],
    traits: [
        .trait(
            name: "Jemalloc",
            description: "Replace malloc by jemalloc and measure memory; sanitizer builds switch it off."),
        .trait(
            name: "Combine",
            description: "Build the product of that name over OpenCombine. Without it: objects and properties."),
        .default(enabledTraits: ["Jemalloc"]),
    ],
    // Exactly, because figures depend on them: those that are linked in are named in every report, by
    // `Sources/ReportModel/Versions.swift`. One only checks our histogram in the tests, and the last
    // is built with the trait Combine alone.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CStoreKit", cSettings: engineC),
        // Its functions stand in front of the C library's of the same names, in every program that it is part of.
        .target(name: "CHostCalls", cSettings: engineC),
        // Stands in front of Dispatch's and the system's functions, for client code of simulated devices.
        .target(
            name: "CRuntime", path: "Sources/Hosting/C", exclude: ["Workers", "Statics", "Linking/interposed.def"],
            cSettings: engineC + runtimeRooms.map { .headerSearchPath($0) }),
        .target(name: "CWorkers", path: "Sources/Hosting/C/Workers", cSettings: engineC),
        .target(name: "CStatics", path: "Sources/Hosting/C/Statics", cSettings: engineC),
        .target(
            name: "Statics", dependencies: ["CStatics"], path: "Sources/Hosting/Statics", swiftSettings: engine),
        .target(name: "Files", swiftSettings: engine),
        .target(name: "Text", swiftSettings: engine),
        // A device and the app on it know each other, so that what hosts apps is compiled with the phone.
        .target(
            name: "Simulation", dependencies: ["CRuntime", "Statics"], path: "Sources",
            exclude: allBut(simulationFolders), sources: simulationFolders, swiftSettings: engine),
        .target(name: "CatalogFile", dependencies: ["Simulation", "Text"], swiftSettings: strict),
        // What StoreKit brings of Combine.
        .target(
            name: "CombineBasics", dependencies: [openCombine("OpenCombine")], path: "Sources/Shims/CombineBasics",
            swiftSettings: strict),
        .target(
            name: "StoreKit", dependencies: ["Simulation", "CatalogFile", "CStoreKit", "CombineBasics"],
            swiftSettings: engine),
        .target(
            name: "StoreKitTest", dependencies: ["StoreKit", "CatalogFile", "Simulation"], swiftSettings: strict),
        // What purchase code imports and Linux lacks; nothing of ours depends on these.
        // Yams asks whether there is a module Combine, and uses it: it has to be there before.
        .target(
            name: "Combine",
            dependencies: [
                "CombineBasics", .product(name: "Yams", package: "Yams"), openCombine("OpenCombineDispatch"),
                openCombine("OpenCombineFoundation"),
            ], path: "Sources/Shims/Combine", swiftSettings: strict),
        .target(name: "AppleCoreTypes", path: "Sources/Shims/AppleCoreTypes", swiftSettings: strict),
        .target(
            name: "Security", dependencies: ["AppleCoreTypes", "StoreKit", "Simulation"],
            path: "Sources/Shims/Security", swiftSettings: strict),
        .target(
            name: "AppleFoundation", dependencies: ["Security", "StoreKit", "Simulation"],
            path: "Sources/Shims/AppleFoundation", swiftSettings: strict),
        .target(
            name: "Network", dependencies: ["StoreKit", "Simulation"], path: "Sources/Shims/Network",
            swiftSettings: strict),
        .target(
            name: "SystemConfiguration", dependencies: ["AppleCoreTypes", "StoreKit", "Simulation"],
            path: "Sources/Shims/SystemConfiguration", swiftSettings: strict),
        .target(name: "COS", path: "Sources/Shims/COS"),
        .target(name: "os", dependencies: ["COS"], path: "Sources/Shims/os", swiftSettings: strict),
        .target(name: "OSLog", dependencies: ["os"], path: "Sources/Shims/OSLog", swiftSettings: strict),
        .target(
            name: "UIKit", dependencies: ["StoreKit", "Simulation"], path: "Sources/Shims/UIKit", swiftSettings: strict),
        .target(
            name: "SwiftUI", dependencies: ["Combine", "UIKit"], path: "Sources/Shims/SwiftUI", swiftSettings: strict),
        .target(
            name: "_Testing_UIKit", dependencies: ["UIKit"], path: "Sources/Shims/_Testing_UIKit",
            swiftSettings: strict),
        .target(
            name: "ClientKit", dependencies: ["Simulation", "StoreKit", "CHostCalls", "CRuntime"], path: "Sources",
            exclude: allBut(clientKitFolders), sources: clientKitFolders, swiftSettings: engine),
        .target(
            name: "Specimens", dependencies: ["ClientKit", "StoreKit", "Simulation"],
            exclude: [
                "Reference/README.md", "IAPManager/README.md", "StoreObserver/README.md", "PayAPI/README.md",
                "PurchaseHelper/README.md", "InAppPurchaseLib/README.md", "Plain/README.md", "StoreKit2/README.md",
                "Template/README.md",
            ],
            swiftSettings: strict),
        .target(
            name: "Metrics",
            dependencies: ["Files", "Text"], swiftSettings: engine),
        .target(
            name: "Host",
            dependencies: ["Metrics", .target(name: "CJemalloc", condition: .when(traits: ["Jemalloc"]))],
            swiftSettings: engine),
        // Workers are processes; what ends client code, and what finds that.
        .target(
            name: "Hosting", dependencies: ["Simulation", "Statics", "Host", "Files", "CHostCalls", "CWorkers"],
            exclude: ["README.md", "C", "Statics", "Apps", "Foundation", "Deaths/Leaving"],
            sources: ["Workers", "Deaths/Finding"], swiftSettings: engine),
        .target(
            name: "Scenario",
            dependencies: ["Simulation", "Metrics", "Text", .product(name: "Yams", package: "Yams")],
            swiftSettings: engine),
        .target(
            name: "Judgement", dependencies: ["Simulation", "Metrics", "Scenario", "Files"], swiftSettings: engine),
        .target(name: "RunStore", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(
            name: "Engine",
            dependencies: [
                "Hosting", "Simulation", "ClientKit", "Scenario", "Judgement", "Metrics", "Statics", "Host", "Files",
                "Text",
            ],
            swiftSettings: engine),
        // What report.json and its kin hold: values, without the words that they are made with.
        .target(
            name: "ReportModel", dependencies: ["Hosting", "Judgement", "Metrics", "Host"], swiftSettings: strict),
        .target(
            name: "Reporting",
            dependencies: [
                "ReportModel", "Engine", "Hosting", "ClientKit", "Simulation", "Scenario", "Judgement", "Metrics",
                "RunStore", "Text", "Statics", "Files",
            ],
            swiftSettings: strict),
        .target(
            name: "Stampede",
            dependencies: [
                "ReportModel", "Reporting", "RunStore", "Engine", "Hosting", "Files", "Scenario", "Judgement",
                "Metrics", "Specimens", "ClientKit", "StoreKit", "CatalogFile", "Simulation", "Text", "Statics",
                "CHostCalls", "CRuntime", "CWorkers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // What `stampede init --package` copies.
            resources: starterSources.map { .embedInCode("Templates/Package/\($0).swift") }, swiftSettings: strict),
        .executableTarget(name: "StampedeTool", dependencies: ["Stampede"], swiftSettings: strict),
        // For test targets alone: it brings Swift Testing and XCTest.
        .target(name: "CTestWorker"),
        .target(
            name: "StampedeTesting",
            dependencies: [
                "Stampede", "ReportModel", "Reporting", "Judgement", "Metrics", "ClientKit", "Text", "CTestWorker",
            ],
            swiftSettings: strict),

        // Folders that go away with the test.
        .target(name: "FolderSupport", path: "Tests/Support/Folders", swiftSettings: strict),
        .testTarget(name: "StaticsTests", dependencies: ["Statics", "StaticsCKit"], swiftSettings: strict),
        .testTarget(name: "FilesTests", dependencies: ["Files", "FolderSupport"], swiftSettings: strict),
        .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: strict),
        .testTarget(name: "TimelineTests", dependencies: ["Simulation"], swiftSettings: strict),
        // A device with an App Store of its own, and the shop of both.
        .target(
            name: "DeviceSupport", dependencies: ["Simulation"], path: "Tests/Support/Devices", swiftSettings: strict),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "DeviceSupport"], swiftSettings: strict),
        .testTarget(
            name: "CatalogFileTests", dependencies: ["CatalogFile", "Simulation", "Text"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "StoreKitTests", dependencies: ["StoreKit", "Simulation", "DeviceSupport", "StandaloneUse"],
            swiftSettings: strict),
        // Programs of Dispatch, drawn from a seed, and what must hold of their runs: as apps are built.
        .target(
            name: "RuntimePrograms", dependencies: ["Simulation"], path: "Tests/Support/RuntimePrograms",
            swiftSettings: asApps),
        .executableTarget(
            name: "RuntimeTool", dependencies: ["RuntimePrograms"], path: "Tests/Tools/RuntimeTool",
            swiftSettings: strict),
        // Client code as it is released: optimised, it calls other functions of Foundation's.
        .testTarget(
            name: "RuntimeTests",
            dependencies: ["RuntimePrograms", "RuntimeTool", "ClientKit", "CRuntime", "Simulation"],
            swiftSettings: asApps + [.unsafeFlags(["-O"])]),
        // Lets tests of several targets take turns on the standalone device.
        .target(name: "StandaloneUse", path: "Tests/Support/StandaloneUse", swiftSettings: strict),
        // As apps' tests are written: with StoreKit and StoreKitTest alone.
        .testTarget(
            name: "StoreKitTestTests", dependencies: ["StoreKit", "StoreKitTest", "StandaloneUse"],
            resources: [.copy("Shop.storekit"), .copy("Fixtures")], swiftSettings: strict),
        // As apps are written: in Swift 5, without the settings of this package, and with StoreKit alone.
        .testTarget(
            name: "ClientShapeTests", dependencies: ["StoreKit", "StandaloneUse"],
            swiftSettings: asApps),
        // As apps are written in Swift 6, and in Swift 5, with what else they import.
        .target(
            name: "SixShop",
            dependencies: [
                "AppleFoundation", "Network", "Security", "StoreKit", "SystemConfiguration", "UIKit", "os",
            ], path: "Tests/Clients/SixShop",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "ShimTests",
            dependencies: [
                "AppleFoundation", "Combine", "Network", "Security", "SwiftUI", "SystemConfiguration", "SixShop", "os",
                "UIKit", "_Testing_UIKit", "RunSupport", "RuntimePrograms", "StandaloneUse", "ClientKit", "StoreKit",
                "Engine",
                "Scenario", "Simulation",
            ],
            exclude: ["Edits"],
            swiftSettings: asApps),
        .testTarget(name: "HostTests", dependencies: ["Host", "Metrics"], swiftSettings: strict),
        .testTarget(
            name: "MetricsTests",
            dependencies: [
                "Metrics", "Files", "Simulation", "Text", .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ScenarioTests",
            dependencies: ["Scenario", "Simulation", "Metrics", "Text", "RunSupport", "DeviceSupport"],
            swiftSettings: strict),
        // Writes to a database without end: what a killed process leaves only a process can show.
        .executableTarget(
            name: "RecordingTool", dependencies: ["RunStore"], path: "Tests/Tools/RecordingTool", swiftSettings: strict),
        .testTarget(
            name: "RunStoreTests", dependencies: ["RunStore", "RecordingTool", "FolderSupport"], swiftSettings: strict),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Files", "Host", "Hosting", "RunSupport", "FolderSupport", "ReportModel", "Reporting", "RunStore",
                "Engine", "ClientKit", "Specimens", "Scenario", "Judgement", "Metrics", "Simulation", "Statics",
            ],
            swiftSettings: strict),
        .target(
            name: "RunSupport",
            dependencies: [
                "CatalogFile", "Text", "ReportModel", "Reporting", "Engine", "ClientKit", "Specimens", "Scenario",
                "Judgement", "Metrics", "Simulation",
            ],
            path: "Tests/Support/Runs", swiftSettings: strict),
        .testTarget(
            name: "JudgementTests",
            dependencies: [
                "Files", "RunSupport", "Judgement", "Simulation", "Engine", "ClientKit", "Specimens", "StoreKit",
                "Scenario", "Metrics", "ReportModel", "Reporting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Files", "Host", "Hosting", "RunSupport", "Engine", "ClientKit", "Specimens", "StoreKit", "Scenario",
                "Judgement", "Metrics", "Simulation", "Statics", "Text", "ReportModel", "Reporting",
            ],
            exclude: ["Cases"], swiftSettings: strict),
        .testTarget(
            name: "SpecimensTests",
            dependencies: [
                "RunSupport", "ClientKit", "Specimens", "StoreKit", "Engine", "Scenario", "Judgement", "Metrics",
                "Simulation", "ReportModel", "Reporting", "StoreKit2Shops",
            ],
            swiftSettings: strict),
        .target(
            name: "StoreKit2Shops", dependencies: ["ClientKit", "StoreKit"], path: "Tests/Clients/StoreKit2",
            swiftSettings: strict),
        // As apps are built: Swift 5, none of our own settings.
        .target(
            name: "ShopClient", dependencies: ["Stampede", "StoreKit"], path: "Tests/Clients/Shop",
            swiftSettings: asApps),
        // The same files once more, without the one that `stampede glue` prints and without `perDevice`.
        .target(
            name: "PlainShop", dependencies: ["Stampede", "StoreKit"], path: "Tests/Clients/PlainShop",
            swiftSettings: asApps + [.enableUpcomingFeature("DynamicActorIsolation"), .define("PLAIN")]),
        .executableTarget(
            name: "ShopTool", dependencies: ["ShopClient", "PlainShop", "Stampede"], path: "Tests/Tools/ShopTool",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ClientKitTests",
            dependencies: [
                "ShopClient", "RunSupport", "Stampede", "Engine", "ClientKit", "Specimens", "StoreKit", "Scenario",
                "Judgement", "Metrics", "Simulation", "ReportModel", "Reporting",
            ],
            swiftSettings: strict),
        // Clients of which somebody has decided beforehand whether they are correct: as apps are built.
        .target(
            name: "Judging", dependencies: ["Stampede"], path: "Tests/Clients/Judged/Judging", swiftSettings: asApps),
        judged("UnusualClients", in: "Unusual", asApps),
        judged("BrokenClients", in: "Broken", asApps),
        judged("StoreKit2Unusual", in: "StoreKit2Unusual", strict),
        judged("StoreKit2Broken", in: "StoreKit2Broken", strict),
        judged("Judges", in: "Judges", strict, using: lists),
        // Tries the audit on them, and prints the table; with any other command it is `stampede` with these clients.
        .executableTarget(
            name: "JudgeTool",
            dependencies: [
                "Hosting", "RunSupport", "Stampede", "Engine", "StoreKit2Shops", "ClientKit", "Specimens", "Scenario",
                "Judgement", "Metrics", "ReportModel", "Reporting", "Simulation",
            ] + judges,
            path: "Tests/Tools/JudgeTool", swiftSettings: strict),
        .testTarget(
            name: "JudgeTests",
            dependencies: [
                "RunSupport", "Engine", "ClientKit", "Specimens", "Scenario", "Judgement", "Reporting", "Metrics",
                "Simulation",
            ] + judges,
            exclude: ["Stories.txt"], swiftSettings: strict),
        // The command with a client that hangs: how such a process ends only a process can show.
        .executableTarget(
            name: "FaultyTool", dependencies: ["Stampede", "ClientKit", "Specimens", "StoreKit", "Simulation"],
            path: "Tests/Tools/FaultyTool", swiftSettings: strict),
        // As apps' own tests are built.
        .testTarget(
            name: "StampedeTestingTests", dependencies: ["StampedeTesting", "StoreKit"], exclude: ["Scenarios"],
            swiftSettings: asApps),
        // An app, a library that it uses and one of C, with statics of every kind: as apps are built.
        .target(name: "StaticsCKit", path: "Tests/Clients/Statics/CKit"),
        .target(
            name: "StaticsKit", path: "Tests/Clients/Statics/Kit", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "StaticsTally", path: "Tests/Clients/Statics/Tally", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "StaticsShop", dependencies: ["StaticsCKit", "StaticsKit", "StaticsTally", "Stampede", "StoreKit"],
            path: "Tests/Clients/Statics/Shop", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "StaticsTool", dependencies: ["StaticsShop", "StaticsTally", "Stampede"],
            path: "Tests/Tools/StaticsTool", swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Engine", "Host", "Hosting", "Stampede", "StampedeTool", "FaultyTool", "StaticsTool", "ShopTool",
                "ReportModel", "Reporting", "RunStore", "Scenario", "ClientKit", "Text", "Specimens",
                "Judgement", "Metrics", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Emitted"], swiftSettings: strict),
    ]
)
