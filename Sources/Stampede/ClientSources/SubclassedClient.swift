// A client whose subclass alone has a member that `StoreClient` gives a default: the harness would call the default.
// Main thread.

import ClientKit
import Simulation

enum SubclassedClient {
    /// The members with a default, as they are written in code.
    static let members = [
        "launch()", "willTerminate()", "didEnterBackground()", "willEnterForeground()", "fetchProducts(_:completion:)",
        "fetchProducts(_:)", "use(_:)", "holdings(of:)", "goods(perPurchaseOf:)", "name.getter", "summary.getter",
        "options.getter",
    ]

    /// Why a client cannot be run as it is meant; nil: nothing stands in the way.
    static func problem(with client: any StoreClient.Type) -> CommandProblem? {
        let missed = SubclassMethods.find(members, of: client as AnyClass) { $0 is any StoreClient.Type }
        guard let first = missed.first else { return nil }
        let place = first.file.flatMap { file in first.line.map { " (\(file):\($0))" } } ?? ""
        let names = missed.map { "`\($0.name.replacing(".getter", with: ""))`" }.joined(separator: ", ")
        return CommandProblem(
            "\(first.type)\(place) implements \(names), but its superclass \(first.conforming), which conforms to "
                + "StoreClient, does not: the harness would call the default",
            hint: "implement it in \(first.conforming), and write `override` in \(first.type)")
    }
}
