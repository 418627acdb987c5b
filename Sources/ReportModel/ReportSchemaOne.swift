// Reports of schema version 1, as if this program had written them: reasons were sentences, and thresholds and parts of
// metrics did not say which metric they are of.
// Pure; any thread.

import Foundation

enum ReportSchemaOne {
    /// The version stays as it is: what version 1 left out, such as which reasons were thresholds', is still missing.
    ///
    /// - Throws: what `JSONSerialization` throws.
    package static func upgraded(_ json: Data) throws -> Data {
        guard var report = try JSONSerialization.jsonObject(with: json) as? [String: Any] else { return json }
        if var verdict = report["verdict"] as? [String: Any] {
            let exitCode = verdict["exit_code"] as? Int ?? Int(ExitStatus.unknown.rawValue)
            verdict["reasons"] = (verdict["reasons"] as? [Any])?.map { reason -> Any in
                guard let sentence = reason as? String else { return reason }
                return ["kind": Report.Reason.Kind.told.rawValue, "sentence": sentence, "exit_code": exitCode]
            }
            report["verdict"] = verdict
        }
        for key in ["thresholds", "sub_metrics"] where report[key] != nil { report[key] = withBases(report[key]) }
        if var host = report["host"] as? [String: Any] {
            for key in ["thresholds", "sub_metrics"] where host[key] != nil { host[key] = withBases(host[key]) }
            report["host"] = host
        }
        return try JSONSerialization.data(withJSONObject: report)
    }

    /// Thresholds, or parts of metrics.
    private static func withBases(_ items: Any?) -> Any? {
        guard let items = items as? [Any] else { return items }
        return items.map { item -> Any in
            guard var fields = item as? [String: Any],
                let name = fields["metric"] as? String ?? fields["name"] as? String
            else { return item }
            // `purchase_duration{product:coins} in 2m..8m`
            fields["base"] = String(name.prefix { $0 != "{" && $0 != " " })
            if fields["name"] != nil, name.contains(" in ") { fields["is_of_window"] = true }
            return fields
        }
    }
}
