// The schema for editors and the reader know the same keys, the same words, and the same spellings of values.
//
// The reader is asked through what it says of a key or a word that it does not know, at each place of a scenario
// where everything stands; and the schema through what applies at that place.

import Foundation
import Scenario
import Testing
import Text

@testable import Metrics

@Suite struct SchemaTests {
    private static let unknown = "qqqqqqqq"
    /// How the reader refuses what stands in the wrong company, although it knows the word.
    private static let refusals = [
        "is not a key of this executor", "so graceful_stop cannot be used", "has no effect when the answer is",
        "is measured over the whole run",
    ]
    private let checker = SchemaChecker(SchemaSample.schema)

    @Test(arguments: SchemaSample.texts + [SchemaSample.brief, validText])
    func schemaAcceptsWhatTheReaderReads(text: String) throws {
        if text != validText { #expect(SchemaSample.problems(text).map(\.description) == []) }
        #expect(checker.accepts(try #require(ScenarioOutline(text: text))))
    }

    // MARK: Keys

    @Test func schemaHasTheReadersKeys() throws {
        var seen: Set<String> = []
        for text in SchemaSample.texts {
            let root = try #require(ScenarioOutline(text: text))
            try SchemaWalk(checker, root).mappings { site in
                let closed = site.places.filter(\.isClosed)
                let isNew = !closed.allSatisfy { seen.contains($0.pointer) }
                seen.formUnion(closed.map(\.pointer))
                let names = Set(closed.flatMap { $0["properties"]?.entries.map(\.key) ?? [] })
                let (kind, known) = try list(of: site.adding(Self.unknown), root)
                switch kind {
                case "keys here", "errors":
                    let refused = known.filter { !names.contains($0) && isRefused($0, at: site) }
                    #expect(Set(known).subtracting(refused) == names, "\(site.path)")
                    for name in names { #expect(!isRefused(name, at: site), "\(site.path).\(name)") }
                    for name in site.keys { expectRequired(name, at: site) }
                case "steps":
                    // The same wherever the same part of the schema applies; the list is long.
                    if isNew { expectSteps(known, names, site) }
                default: #expect(closed.isEmpty, "\(site.path): only the schema knows its keys")
                }
            }
        }
        // What stands nowhere in the samples would not have been compared.
        #expect(checker.pointers { $0.isClosed }.subtracting(seen) == [])
    }

    private func isRefused(_ key: String, at site: SchemaSite) -> Bool {
        guard !site.keys.contains(key) else { return false }
        let problems = SchemaSample.problems(site.adding(key).text)
        return problems.contains { problem in
            problem.message.contains("'\(key)'") && Self.refusals.contains { problem.message.contains($0) }
                || ["graceful_stop", "window"].contains(key) && Self.refusals.contains { problem.message.contains($0) }
        }
    }

    private func expectRequired(_ key: String, at site: SchemaSite) {
        let isRequired = site.places.contains { $0.texts("required").contains(key) }
        let problems = SchemaSample.problems(site.removing(key).text)
        let isMissed = problems.contains { $0.message.hasPrefix("missing key '\(key)'") }
        // Without its mean a distribution is one without weights.
        #expect(isRequired == (isMissed || key == "mean" && !problems.isEmpty), "\(site.path).\(key)")
    }

    /// A step is a word, or has a value; in some places only some are.
    private func expectSteps(_ known: [String], _ mapped: Set<String>, _ site: SchemaSite) {
        let branches = site.places.flatMap { $0["anyOf"]?.items ?? [] }
        let bare = Set(branches.flatMap { $0.texts("enum") })
        #expect(mapped.union(bare).isSubset(of: known), "\(site.path)")
        for name in known {
            let word = SchemaSample.problems(site.replaced(by: .scalar(name)).text).map(\.message)
            let valued = SchemaSample.problems(site.replaced(by: .mapping([.init(name, .scalar("1"))])).text)
            func isFine(_ messages: [String]) -> Bool {
                let words = ["needs a value", "takes no value", "unknown step", "cannot be done together"]
                return !messages.contains { message in words.contains { message.contains($0) } }
            }
            #expect(isFine(word) == bare.contains(name), "\(name) at \(site.path)")
            #expect(isFine(valued.map(\.message)) == mapped.contains(name), "\(name): at \(site.path)")
        }
    }

    // MARK: Words

    @Test func schemaHasTheReadersWords() throws {
        var seen: Set<String> = []
        for text in SchemaSample.texts + [SchemaSample.brief] {
            let root = try #require(ScenarioOutline(text: text))
            try SchemaWalk(checker, root).scalars { site in
                let changed = site.replaced(by: .scalar(Self.unknown))
                let (kind, known) = try list(of: changed, root)
                let enumerations = site.places.filter { $0["enum"] != nil }
                seen.formUnion(enumerations.map(\.pointer))
                let words = Set(enumerations.flatMap { $0.texts("enum") })
                let isFlag = site.places.contains { $0["type"]?.text == "boolean" }
                let messages = SchemaSample.problems(changed.text).map(\.message)
                #expect(isFlag == messages.contains { $0.hasPrefix("expected true or false") }, "\(site.path)")
                switch kind {
                case "steps", "products", "journeys", "entries above", nil,
                    _ where kind?.hasPrefix("aggregates") == true:
                    #expect(kind == "steps" || words.isEmpty, "\(site.path): only the schema has a list")
                default:
                    // The reader names forty at most.
                    let isWhole = !known.contains("…")
                    #expect(isWhole ? Set(known) == words : words.isSuperset(of: known.dropLast()), "\(site.path)")
                }
            }
        }
        #expect(checker.pointers { $0["enum"] != nil }.subtracting(seen) == [])
    }

    /// What the reader lists of an unknown key or word: what kind of list, and the list.
    private func list(of changed: ScenarioOutline, _ root: ScenarioOutline) throws -> (kind: String?, known: [String]) {
        let problem = SchemaSample.problems(changed.text).first {
            $0.message.hasPrefix("unknown") && $0.message.contains("'\(Self.unknown)'")
        }
        // What else it may be about follows a semicolon.
        guard let hint = problem?.hint?.components(separatedBy: "; ").first else { return (nil, []) }
        if let kind = hint.wholeMatch(of: #/there are no (.+)/#)?.1 { return (String(kind), []) }
        // "moments, besides {effect: n}: any_effect, …": the list follows the last colon.
        guard let colon = hint.ranges(of: ": ").last, hint.wholeMatch(of: #/.+: [\w …,-]+/#) != nil else {
            return (nil, [])
        }
        return (String(hint[..<colon.lowerBound]), hint[colon.upperBound...].components(separatedBy: ", "))
    }
}
