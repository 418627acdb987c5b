// Which version of what made a report.
// Constants but for the allocator, which is asked; any thread.

import Host

/// The version that `--version` and reports tell.
package enum StampedeVersion {
    package static let current = "0.1.0"
}

/// What the figures depend on besides this package's own sources.
package enum Dependencies {
    /// The packages that are linked in, by name, each as `Package.swift` pins it.
    package static let packages = ["swift-argument-parser": "1.8.2", "Yams": "6.2.2"]

    /// The packages, and the allocator where it is jemalloc: another version of that rounds sizes differently.
    package static var versions: [String: String] {
        var versions = packages
        versions["jemalloc"] = MemoryStatistics.allocatorVersion
        return versions
    }
}
