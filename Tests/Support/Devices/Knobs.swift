// The knobs of a store, found by looking at its values.

package import Simulation

extension StoreBehaviour {
    /// Each by its key, with its value as text; those of a phone too.
    package var knobs: [(key: String, value: String)] {
        let own = Mirror(reflecting: self).children.filter { $0.label != "client" }
        return (own + Array(Mirror(reflecting: client).children)).map { label, value in
            let key = (label ?? "").reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
            return (key, "\(value)")
        }
    }
}
