// What chance needs to know of single keys beyond their kind.
// Constants; any thread.

/// Keys by their paths: those of steps begin with `step`, wherever the step stands; `[]` is any item of a list.
package enum DrawnKeys {
    /// Keys that are not drawn, each with the reason.
    package static let leftOut: [String: String] = {
        var reasons: [String: String] = [:]
        for (path, drawing) in drawings {
            if case .leftOut(let reason) = drawing { reasons[path] = reason }
        }
        return reasons
    }()

    static func isLeftOut(_ path: String) -> Bool { leftOut[path] != nil }

    static func isByHand(_ path: String) -> Bool { drawings[path] == .byHand }

    /// How long what the key is about lasts; for a person, unless it is known better.
    static func scale(of path: String) -> TimeScale {
        if case .lasting(let scale)? = drawings[path] { scale } else { .pause }
    }

    /// In percent. What fails at every turn leaves nothing to look at.
    static func shares(of path: String) -> [Int] {
        if case .shares(let shares)? = drawings[path] { shares } else { [2, 10, 40, 100] }
    }

    private static let drawings = KeyTables.drawings.merging(others) { declared, _ in declared }

    /// Keys that are declared elsewhere: whole sections, the load, the steps.
    private static let others: [String: KeyDrawing] = [
        "description": .leftOut("for people"),
        "clock": .leftOut("a swarm runs under the virtual clock"),
        "client": .leftOut("the swarm's"),
        "thresholds": .leftOut("a swarm asks for violations, not for figures"),
        "warm_up": .leftOut("for figures"),
        "audit": .leftOut("what an app may decide for itself is its team's to say"),
        "load[].tags": .leftOut("for figures"),
        "faults.crash[].share": .shares([1, 3, 10, 30, 100]),
        "step.buy.choose": .byHand, "step.buy.unknown_product": .byHand, "step.buy.quantity": .byHand,
        "step.repeat.times": .byHand, "step.redeem_offer": .byHand, "step.expect": .byHand, "load[].name": .byHand,
        "load[].journey": .byHand, "load[].after": .byHand,
    ]
}
