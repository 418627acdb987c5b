// Requests to servers that the scenario does not know, while a harness runs in this process.
// Any thread.

internal import Foundation

/// Such a request fails as if there were no such server; a run has to know that it happened.
package enum UnknownServers {
    /// How many requests there were, and the first addresses, without what follows a question mark.
    package struct Found: Sendable, Equatable {
        package var count = 0
        package var addresses: Set<String> = []

        package init() {}

        package static let addressesMax = 5

        package mutating func add(_ address: String, count: Int = 1) {
            self.count += count
            if addresses.count < Self.addressesMax { addresses.insert(address) }
        }
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var found = Found()  // Guard: `lock`.

    static func note(_ url: String) { lock.withLock { found.add(String(url.prefix { $0 != "?" })) } }

    /// What came since it was last asked.
    package static func take() -> Found {
        lock.withLock {
            defer { found = Found() }
            return found
        }
    }
}
