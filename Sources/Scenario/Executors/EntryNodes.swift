// What one load entry says, for its executor to look at as a whole.
// One per entry, confined as the reader is.

import Text

/// The keys of one entry by their names, with what is wrong with them told to the reader.
package struct EntryNodes {
    let reader: ScenarioReader
    let nodes: [String: SourceNode]
    /// Such as `load[0]`.
    let path: String

    /// Says what is wrong with the value of a key, which is there.
    func report(_ key: String, _ message: String, hint: String) {
        guard let node = nodes[key] else { preconditionFailure("\(path) has no \(key)") }
        reader.report(node.position, message, hint: hint)
    }

    /// Whether so many arrivals can be planned; reported where not.
    func allows(arrivals: Int, by key: String) -> Bool {
        if arrivals <= ScenarioLimits.arrivalsMax { return true }
        report(
            key, "\(path) has too many arrivals: \(arrivals)",
            hint: "at most \(ValueParser.grouped(ScenarioLimits.arrivalsMax))")
        return false
    }
}
