// What is said where the app runtime does not know a program's Swift.
// Pure; any thread.

package import Simulation

extension SwiftLibraries {
    /// Of libraries that are not known.
    package var problem: String {
        guard let first = missing.first else {
            return "this program is built with a version of Swift that simulated devices have not been tested with"
        }
        let symbols = HumanNumbers.quantity(missing.count, "symbol")
        return "Swift's libraries lack \(symbols) that simulated devices need (\(first)): "
            + "client code that uses them gets the machine's instead of its device's"
    }

    package static var remedy: String { "build it with Swift \(tried)" }
}
