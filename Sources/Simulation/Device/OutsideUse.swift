// What client code uses that no device has of its own, while a harness runs in this process.
// Any thread.

internal import Foundation

/// Such a use is not refused where it can do something, but a run has to know of it: devices may have shared it.
package enum OutsideUse {
    /// The raw values are those of `stampede_outside`, and of what workers send.
    package enum Kind: Int, Sendable, CaseIterable {
        /// A request to a server that the scenario does not know. It fails as if there were none.
        case server
        /// A file outside the app's home was written, made or removed.
        case file
        /// Another program was started.
        case program
        /// A connection was opened past the simulated network.
        case connection
    }

    package struct Use: Sendable, Equatable {
        package let kind: Kind
        package var count: Int
        /// The first addresses, paths or names.
        package var names: Set<String>
    }

    package struct Found: Sendable, Equatable {
        private var counts = Array(repeating: 0, count: Kind.allCases.count)
        private var names = Array(repeating: Set<String>(), count: Kind.allCases.count)

        package init() {}

        package static let namesMax = 5

        package mutating func add(_ kind: Kind, _ name: String) {
            counts[kind.rawValue] += 1
            if names[kind.rawValue].count < Self.namesMax { names[kind.rawValue].insert(name) }
        }

        /// Of several processes: the first names in their order.
        package mutating func add(_ use: Use) {
            counts[use.kind.rawValue] += use.count
            names[use.kind.rawValue] = Set(names[use.kind.rawValue].union(use.names).sorted().prefix(Self.namesMax))
        }

        /// Those that there were, by kind.
        package var uses: [Use] {
            Kind.allCases.map { Use(kind: $0, count: counts[$0.rawValue], names: names[$0.rawValue]) }
                .filter { $0.count > 0 }
        }
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var found = Found()  // Guard: `lock`.

    static func note(_ kind: Kind, _ name: String) { lock.withLock { found.add(kind, name) } }

    /// What came since it was last asked.
    package static func take() -> Found {
        lock.withLock {
            defer { found = Found() }
            return found
        }
    }
}

extension OutsideUse.Use {
    package init(_ kind: OutsideUse.Kind, count: Int, names: Set<String>) {
        self.init(kind: kind, count: count, names: names)
    }
}
