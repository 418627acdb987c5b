// What one load entry says, for its executor to read.
// One per entry, confined as the reader is.

import Text

/// The keys of one entry by their names, with what is wrong with them told to the reader.
package struct ExecutorFields {
    let reader: ScenarioReader
    let nodes: [String: SourceNode]
    /// Such as `load[0]`.
    let path: String

    /// Nil where the value is no such, which is then reported, or where a key is missing that must be there.
    func read<Value>(_ key: ExecutorKey<Value>) -> Value? {
        guard let node = nodes[key.name] else { return key.standard }
        return key.read(reader, node, "\(path).\(key.name)")
    }

    /// Says what is wrong with the value of a key.
    func report<Value>(_ key: ExecutorKey<Value>, _ message: String, hint: String) {
        guard let node = nodes[key.name] else { preconditionFailure("\(path) has no \(key.name)") }
        reader.report(node.position, message, hint: hint)
    }

    /// Whether so many arrivals can be planned; reported where not.
    func allows<Value>(arrivals: Int, by key: ExecutorKey<Value>) -> Bool {
        if arrivals <= ScenarioLimits.arrivalsMax { return true }
        report(
            key, "\(arrivals) arrivals in \(path) are too many",
            hint: "at most \(ValueParser.grouped(ScenarioLimits.arrivalsMax))")
        return false
    }
}
