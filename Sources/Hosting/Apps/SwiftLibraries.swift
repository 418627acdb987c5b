// Whether the app runtime knows the Swift that a program is built with.
// Values; any thread.

internal import CRuntime

/// Swift's libraries, of which the runtime needs symbols that belong to one version of them.
package struct SwiftLibraries: Sendable, Equatable {
    /// The versions of the compiler that the tests were run with.
    package static let tried = "6.3"

    /// Whether this program was built by one of them.
    package let isTried: Bool
    /// Mangled names that the runtime needs and the program's libraries lack: client code that calls one gets the machine's.
    package let missing: [String]

    package init(isTried: Bool, missing: [String]) { (self.isTried, self.missing) = (isTried, missing) }

    package var areKnown: Bool { isTried && missing.isEmpty }

    /// This program's.
    package static let current = SwiftLibraries(isTried: isBuiltByTriedCompiler, missing: found.missing)

    /// How many symbols the runtime needs.
    package static var symbolCount: Int { found.count }

    private static let found: (count: Int, missing: [String]) = {
        var missing: [String] = []
        let count = withUnsafeMutablePointer(to: &missing) { names in
            stampede_swift_symbols(
                { name, names in
                    guard let name, let names else { return }
                    names.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
                }, names)
        }
        return (Int(count), missing)
    }()

    private static var isBuiltByTriedCompiler: Bool {
        #if compiler(>=6.3) && !compiler(>=6.4)
            true
        #else
            false
        #endif
    }
}
