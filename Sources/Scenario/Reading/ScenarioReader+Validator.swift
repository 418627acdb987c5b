// The server that checks receipts.
// Part of `ScenarioReader`; confined as it is.

import Simulation
import Text

extension ScenarioReader {
    func validator(_ node: SourceNode) -> ValidatorConditions {
        var validator = ValidatorConditions()
        guard let fields = fields(node, "validator", known: ["latency", "outages", "errors"]) else { return validator }
        if let node = fields["latency"], let latency = spans(node, "validator.latency") { validator.latency = latency }
        if let node = fields["outages"] { validator.outages = outages(node, "validator.outages") }
        read(fields, "errors", of: "validator") { validator.errors = $0 }
        return validator
    }
}
