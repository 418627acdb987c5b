// Lists of accepted findings: the same YAML, and the same care with what is wrong, as scenarios.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
package import Text

extension ScenarioReader {
    /// Nil only with a problem reported.
    func knownFindings(_ root: SourceNode) -> [KnownFinding]? {
        guard let items = items(root, "", of: "accepted findings", max: ScenarioLimits.knownFindingsMax) else {
            return nil
        }
        var names: Set<String> = []
        let findings = items.enumerated().compactMap { place, item -> KnownFinding? in
            let path = "[\(place)]"
            let keys = ["finding", "reason", "until"].map {
                KeyFacts($0, .reference("text"), "text", "", required: true)
            }
            guard let fields = fields(item, path, of: keys) else { return nil }
            let finding = fields["finding"].flatMap { text($0, "\(path).finding", as: "the name of a finding") }
            let reason = fields["reason"].flatMap { self.reason($0, "\(path).reason") }
            let until = fields["until"].flatMap { day($0, "\(path).until") }
            if let finding, !names.insert(finding).inserted {
                report(item.position, "finding \(quoted(finding)) is listed twice")
            }
            guard let finding, let reason, let until else { return nil }
            return KnownFinding(finding: finding, reason: reason, until: until, position: item.position)
        }
        return findings.count == items.count ? findings : nil
    }

    private func reason(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "a reason") else { return nil }
        if text.contains(where: { !$0.isWhitespace }) { return text }
        report(node.position, "the reason in \(path) is empty", hint: "say why this finding is accepted")
        return nil
    }

    private func day(_ node: SourceNode, _ path: String) -> CalendarDay? {
        guard let text = text(node, path, as: "a day such as 2027-03-31") else { return nil }
        if let day = CalendarDay(text: text) { return day }
        report(node.position, "\(quoted(text)) in \(path) is not a day", hint: "write year, month and day: 2027-03-31")
        return nil
    }
}

/// The way in to such lists.
package enum KnownFindingsFile {
    package static func load(path: String) throws(Problems) -> [KnownFinding] {
        let context = ScenarioContext(clients: [:], rules: []) { _ in .success(.empty) }
        return try ScenarioFile.read(path: path, context: context) { $0.knownFindings($1) }
    }
}
