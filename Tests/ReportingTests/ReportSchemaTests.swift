// The published schema against real reports: no member that it does not know, none missing.

import Foundation
import Metrics
import ReportModel
import Testing

@testable import Reporting

@Suite struct ReportSchemaTests {
    private struct Checker {
        let definitions: [String: Any]
        var problems: [String] = []

        mutating func check(_ value: Any, _ schema: [String: Any], _ path: String) {
            if let name = schema["$ref"] as? String {
                let key = String(name.dropFirst("#/$defs/".count))
                return check(value, definitions[key] as? [String: Any] ?? [:], path)
            }
            if let constant = schema["const"] as? NSNumber, constant != value as? NSNumber {
                problems.append("\(path) is not \(constant)")
            }
            if let choices = schema["anyOf"] as? [[String: Any]] {
                let isFine = choices.contains { choice in
                    var inner = Checker(definitions: definitions)
                    inner.check(value, choice, path)
                    return inner.problems.isEmpty
                }
                if !isFine { problems.append("\(path) is none of its choices") }
            }
            switch schema["type"] as? String {
            case "object": checkObject(value, schema, path)
            case "array":
                guard let list = value as? [Any], let element = schema["items"] as? [String: Any] else {
                    return problems.append("\(path) is no array")
                }
                for (place, item) in list.enumerated() { check(item, element, "\(path)[\(place)]") }
            case "string":
                guard let text = value as? String else { return problems.append("\(path) is no string") }
                if let among = schema["enum"] as? [String], !among.contains(text) {
                    problems.append("\(path) is \(text)")
                }
            case "integer", "number":
                guard let number = value as? NSNumber else { return problems.append("\(path) is no number") }
                let isWhole = number.doubleValue == number.doubleValue.rounded()
                if schema["type"] as? String == "integer", !isWhole { problems.append("\(path) is not whole") }
                if let least = schema["minimum"] as? NSNumber, number.doubleValue < least.doubleValue {
                    problems.append("\(path) is \(number)")
                }
            case "null": if !(value is NSNull) { problems.append("\(path) is not null") }
            default: break
            }
        }

        private mutating func checkObject(_ value: Any, _ schema: [String: Any], _ path: String) {
            guard let object = value as? [String: Any] else { return problems.append("\(path) is no object") }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                problems.append("\(path).\(name) is missing")
            }
            for (key, member) in object {
                if let known = properties[key] {
                    check(member, known, "\(path).\(key)")
                } else if let other = schema["additionalProperties"] as? [String: Any] {
                    check(member, other, "\(path).\(key)")
                } else {
                    problems.append("\(path).\(key) is unknown")
                }
            }
        }
    }

    private func problems(_ report: Data) throws -> [String] {
        let schema = try #require(try JSONSerialization.jsonObject(with: ReportSchema.json()) as? [String: Any])
        var checker = Checker(definitions: try #require(schema["$defs"] as? [String: Any]))
        checker.check(try JSONSerialization.jsonObject(with: report), schema, "report")
        return checker.problems
    }

    @Test(arguments: SampleReport.allCases)
    func reportsFitTheSchema(sample: SampleReport) throws {
        #expect(try problems(sample.report.json()) == [])
        var apart = sample.report
        apart.tell(SampleReports.tally().measurements)
        #expect(try problems(apart.json()) == [])
    }

    @Test func mergedReportsFitTheSchema() throws {
        var other = SampleReports.failed
        other.run.seed += 1
        let sources = [SampleReports.failed, other].map { ReportMerge.Source(path: "report", report: $0) }
        let merged = try ReportMerge.merge(sources)
        #expect(merged.violations.evidence.count == 2 * other.violations.evidence.count)
        #expect(!other.violations.evidence.isEmpty)
        #expect(try problems(merged.json()) == [])
    }

    @Test func schemaFindsWrongTypesAndMissingKeys() throws {
        let text = String(decoding: try SampleReports.failed.json(), as: UTF8.self)
        for (from, to, problem) in [
            ("\"exit_code\" : 110", "\"exit_code\" : \"110\"", "report.verdict.exit_code is no number"),
            ("\"seed\" : 1", "\"sed\" : 1", "report.run.seed is missing"),
            ("\"virtual\"", "\"sundial\"", "report.run.clock is sundial"),
            ("\"schema_version\" : 2", "\"schema_version\" : 3", "report.schema_version is not 2"),
        ] {
            #expect(text.contains(from))
            let changed = text.replacingOccurrences(of: from, with: to)
            #expect(try problems(Data(changed.utf8)).contains(problem), "\(to)")
        }
    }
}
