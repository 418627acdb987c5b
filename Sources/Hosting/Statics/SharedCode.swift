// What is never a client's: this package, what it is built on, the toolchain.
// Tables; any thread.

/// Code that Stampede and a client share, and whose data stays the same whichever app runs.
package enum SharedCode {
    /// The modules of this package that programs are built with. A test holds the list against Package.swift.
    package static let ownModules: Set<String> = [
        "CatalogFile", "ClientKit", "Engine", "Files", "Host", "Hosting", "Judgement", "Metrics", "ReportModel",
        "Reporting",
        "RunStore", "Scenario", "Simulation", "Specimens", "Stampede", "StampedeTesting", "StampedeTool", "Statics",
        "StoreKit", "StoreKitTest", "Text",
        // Modules of Shims.
        "AppleCoreTypes", "AppleFoundation", "Combine", "CombineBasics", "Network", "OSLog", "Security", "SwiftUI",
        "SystemConfiguration",
        "UIKit", "_Testing_UIKit", "os",
    ]

    /// What these use of other packages.
    package static let dependencies: Set<String> = [
        "ArgumentParser", "ArgumentParserToolInfo", "Yams", "OpenCombine", "OpenCombineDispatch",
        "OpenCombineFoundation",
    ]

    /// The toolchain's.
    static let toolchain: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "RegexBuilder", "Synchronization", "Observation",
        "Distributed", "_Differentiation", "_Volatile", "_Builtin_float", "Cxx", "CxxStdlib", "Glibc", "SwiftGlibc",
        "SwiftOnoneSupport", "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "_FoundationICU", "_FoundationCollections", "_FoundationCShims",
        "Testing", "_TestingInternals", "_Testing_Foundation", "XCTest", "__C", "__C_Synthesized",
    ]

    static func isShared(module: String) -> Bool {
        ownModules.contains(module) || dependencies.contains(module) || toolchain.contains(module)
    }

    /// Variables of C that are local to a file of this package, of what it is built on, or of the compiler.
    private static let localsOfC: [String: Set<String>] = [
        "ending.c": ["state", "guarded_process", "told"],
        "dying.c": [
            "noted", "threads_own", "last_words", "runs_clients", "is_own_thread", "way_out", "may_leave_at", "is_end",
            "was_left", "is_telling", "broken_text", "broken_status", "plain_code",
        ],
        "returning.c": ["met_return", "met_may_leave", "met_is_end", "met_leave"],
        "fence.c": ["file_size_max"],
        "statics.c": [
            "image_regions", "image_region_count", "image_size", "image_objects", "image_object_count",
            "image_used_objects", "image_fresh", "image_outside", "image_thread", "lasting_count.count",
            "lasting_count.sample",
        ],
        "crtstuff.c": ["completed.0", "__dso_handle", "__TMC_LIST__", "__TMC_END__"],
    ]

    /// Files of the app runtime, whose variables are many.
    private static let runtimeFilePrefix = "runtime-"

    /// Those that may be referred to from anywhere; the last two are of OpenCombine's part in C++.
    private static let globalsOfC: Set<String> = [
        "MAX_NESTING_LEVEL", "DW.ref.__gxx_personality_v0", "_ZN12_GLOBAL__N_123next_combine_identifierE",
    ]

    /// Whether a variable that is not Swift's belongs to this package or to what every program has.
    static func isShared(variable name: String, file: String) -> Bool {
        if file == "SwiftRT-ELF-WASM.cpp" { return true }
        if file.hasPrefix(runtimeFilePrefix) { return true }
        // Of the compiler's own making, and caches in the headers of its libraries.
        if ["stampede_", "__swift", "_swift_", "__unnamed_"].contains(where: { name.hasPrefix($0) }) { return true }
        return globalsOfC.contains(name) || localsOfC[file]?.contains(name) ?? false
    }
}
