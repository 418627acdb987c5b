// A trial as text, to be pasted into a command line.
// Pure; any thread.

package import Simulation

extension Mishap {
    /// `crash:17`, `request:3`, `answer:3`
    package var text: String { "\(kind.row.trial?.word ?? kind.row.tag):\(number)" }

    package init?(text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]), number > 0 else { return nil }
        guard let kind = FaultKind.all.first(where: { $0.row.trial.map { $0.word == parts[0] } ?? false }) else {
            return nil
        }
        self.init(kind, number)
    }
}

extension TrialCase {
    /// `crash:17,answer:3`, or `order:0.2.1` for an order of events; `nothing` where nothing is made to go wrong.
    package var text: String {
        var parts = mishaps.map(\.text)
        if let order { parts.append("order:" + order.map(String.init).joined(separator: ".")) }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ",")
    }

    /// Nil where the text is none of the above.
    package init?(text: String) {
        self.init()
        if text == "nothing" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part.hasPrefix("order:") {
                let numbers = part.dropFirst("order:".count).split(separator: ".").map { Int($0) }
                guard order == nil, numbers.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else { return nil }
                order = numbers.compactMap { $0 }
            } else if let mishap = Mishap(text: part) {
                mishaps.append(mishap)
            } else {
                return nil
            }
        }
    }
}

/// As its text.
extension TrialCase: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
