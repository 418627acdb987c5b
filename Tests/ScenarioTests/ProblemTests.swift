// What is said of a wrong file: which line, which column, which words, and all of it at once.

import Scenario
import Simulation
import Testing
import Text

@Suite struct ProblemTests {
    @Test func unknownKeyIsShownWithCaretAndHint() {
        let found = problems(small(step: "retsore: {wait: false}"))
        #expect(
            found.map(\.description) == [
                """
                x.yml:8:7: error: unknown key 'retsore' in journeys.j[0]
                        - retsore: {wait: false}
                          ^
                hint: did you mean 'restore'?
                """
            ])
    }

    @Test func sixMistakesGiveSixErrors() {
        let text = """
            name: Wrong
            colour: red
            store: {catalog: a.storekit, errors: {products: 200%}}
            population: {users: none}
            load:
              - {journey: j, executor: at-once}
            journeys:
              j:
                - lanch
                - buy: extra_live
            thresholds:
              purchase_duration: ["p(95) < 1s", p(95) < 1parsec]
            """
        #expect(
            brief(problems(text)) == [
                "2:1: unknown key 'colour' at the top of the file | keys here: name, description, clock, seed, client, "
                    + "store, validator, http, network, buyers, population, app, load, warm_up, journeys, faults, audit, "
                    + "explore, thresholds",
                "3:49: '200%' is more than the whole in store.errors.products | a share lies between 0% and 100%",
                "4:21: 'none' is not a whole number in population.users | a whole number from 1 to 1_000_000_000",
                "9:7: unknown step 'lanch' in journeys.j[0] | did you mean 'launch'?",
                "10:12: unknown product 'extra_live' in journeys.j[1].buy | did you mean 'extra_lives'?",
                "12:46: unknown unit 'parsec' in thresholds.purchase_duration | units of durations: us ms s m h; "
                    + "without a unit, milliseconds",
            ])
    }

    @Test(arguments: [
        (
            "buy: {unknown_product: extra_lives}",
            """
            8:30: the catalog sells 'extra_lives' in journeys.j[0].buy.unknown_product | write 'product' instead
            """
        ),
        ("buy: {unknown_product: ''}", "8:30: the identifier in journeys.j[0].buy.unknown_product is empty"),
        (
            "buy: {product: extra_lives, quantity: 0}",
            """
            8:45: '0' is out of range in journeys.j[0].buy.quantity | a whole number from 1 to 10
            """
        ),
        (
            "buy: {product: extra_lives, quantity: 1..11}",
            """
            8:45: '11' is out of range in journeys.j[0].buy.quantity | a whole number from 1 to 10
            """
        ),
        (
            "buy: {product: extra_lives, quantity: {mean: 2}}",
            """
            8:45: a mean or a median in journeys.j[0].buy.quantity can exceed 10 | write 1..10, or weights such \
            as {1: 80%, 2: 20%}
            """
        ),
        (
            "buy: {product: extra_lives, wait: no}",
            """
            8:41: expected true or false in journeys.j[0].buy.wait, found 'no' | did you mean false?
            """
        ),
        ("buy: {quantity: 2}", "8:12: nothing to buy in journeys.j[0].buy | one of product, choose, unknown_product"),
        (
            "buy: {product: extra_lives, choose: {extra_lives: 1}}",
            """
            8:12: 'product' and 'choose' at once in journeys.j[0].buy | one of product, choose, unknown_product
            """
        ),
        ("buy", "8:7: step 'buy' in journeys.j[0] needs a value | write '- buy: …'"),
        ("launch: now", "8:7: step 'launch' in journeys.j[0] takes no value | write '- launch'"),
        (
            "{think: 1s, use: all}",
            """
            8:7: one step cannot be 'think' and 'use' in journeys.j[0] | begin each step with its own '-'
            """
        ),
        (
            "together: [launch, restore]",
            """
            8:18: step 'launch' in journeys.j[0].together[0] cannot run together with other steps | these can: \
            fetch_products, buy, restore, use
            """
        ),
        ("repeat: {times: 1, steps: []}", "8:33: the list of steps in journeys.j[0].repeat.steps is empty"),
        ("wait_for: {outcome: by}", "8:27: unknown 'by' in journeys.j[0].wait_for.outcome | did you mean 'buy'?"),
        (
            "expect: {}",
            """
            8:15: nothing to expect in journeys.j[0].expect | one of owns, not_owns, holds, answered
            """
        ),
        (
            "expect: {owns: extra_lives}",
            """
            8:22: consumable 'extra_lives' in journeys.j[0].expect.owns is counted, not owned | write 'holds: \
            {extra_lives: 1}'
            """
        ),
        (
            "expect: {holds: {unlock_maps: 1}}",
            """
            8:24: 'unlock_maps' in journeys.j[0].expect.holds is owned, not counted | write 'owns: unlock_maps'
            """
        ),
        (
            "use: *al",
            """
            8:12: unknown alias '*al' | an anchor must be written before its aliases; quote a text that begins \
            with '*'
            """
        ),
        (
            "choose: [{weight: 0, steps: [launch]}]",
            """
            8:15: the weights in journeys.j[0].choose sum to zero | give one of them a weight
            """
        ),
    ])
    func wrongStepsAreRefused(step: String, problem: String) {
        #expect(brief(problems(small(step: step))) == [problem])
    }

    @Test(arguments: [
        ("owns: {extra_lives: 1%}", "'extra_lives' in population.owns is a consumable, which no restore returns"),
        ("owns: {unlock_map: 1%}", "unknown product 'unlock_map' in population.owns"),
        (
            "owns: {unlock_maps: 1%, com.appcoda.fakegame.unlock_maps: 2%}",
            """
            product 'com.appcoda.fakegame.unlock_maps' is listed twice in population.owns
            """
        ),
    ])
    func wrongOwnershipIsRefused(owns: String, message: String) {
        let text = small().replacing("{users: 10}", with: "{users: 10, \(owns)}")
        #expect(problems(text).map(\.message) == [message])
    }

    @Test func catalogProblemIsReportedAtItsPath() {
        let text = small(step: "buy: whatever").replacing("a.storekit", with: "missing.storekit")
        #expect(brief(problems(text)) == ["2:18: catalog 'missing.storekit': no such file"])
    }

    @Test(arguments: [("a.storekit", "some/where/a.storekit"), ("/opt/a.storekit", "/opt/a.storekit")])
    func catalogIsLookedForBesideTheScenario(written: String, asked: String) {
        var context = Shop.context
        context.loadCatalog = { .failure(Problems(Problem(file: $0, message: "looked for \($0)"))) }
        let text = Array(small().replacing("a.storekit", with: written).utf8)
        do {
            _ = try ScenarioFile.parse(text: text, file: "x.yml", directory: "some/where", context: context)
            Issue.record("a scenario without a catalog was read")
        } catch {
            #expect(error.problems.map(\.message) == ["catalog '\(written)': looked for \(asked)"])
        }
    }

    @Test(arguments: [
        ("wait_for: buy", "8:17: expected a mapping in journeys.j[0].wait_for, found 'buy' | write {outcome: buy}"),
        (
            "repeat: 3",
            "8:15: expected a mapping in journeys.j[0].repeat, found '3' | write {times: 3, steps: [launch]}"
        ),
        (
            "restore: [now]", "8:16: expected a mapping in journeys.j[0].restore, found a list | keys here: wait"
        ),
        (
            "think: 99999999d",
            "8:14: '99999999d' is longer than 400 days in journeys.j[0].think | at most 400d"
        ),
    ])
    func wronglyShapedStepsGetAHint(step: String, problem: String) {
        #expect(brief(problems(small(step: step))) == [problem])
    }

    @Test(arguments: [
        (
            "network: {offline: 5%}",
            "9:20: expected a mapping in network.offline, found '5%' | write {share: 5%, for: 30s}"
        ),
        (
            "faults: {crash: {share: 1%}}", "9:17: missing key 'at' in faults.crash | add 'at: …'"
        ),
    ])
    func wronglyShapedSectionsGetAHint(section: String, problem: String) {
        #expect(brief(problems(small(extra: section))) == [problem])
    }

    @Test func journeyMustBeAList() {
        let text = small().replacing("  j:\n    - launch", with: "  j: launch")
        #expect(
            brief(problems(text)) == ["7:6: expected a list of steps in journeys.j, found 'launch' | write [launch]"])
    }

    @Test(arguments: [
        ("name: T\nstore:\n\tcatalog: x\n", "3:1", "indent with spaces: YAML takes no tabs there"),
        ("name: @x\n", "1:7", "put the value in quotes: a plain value cannot begin with '@'"),
        ("name: `x`\n", "1:7", "put the value in quotes: a plain value cannot begin with '`'"),
        ("seed: 1\nname: Bad: luck\n", "2:10", "put the value in quotes: a ': ' in the value begins another"),
        (
            "load:\n- name: a\n  journey: b\n   executor: at-once\n", "4:12",
            "check the indentation: keys or items that belong together begin in the same column"
        ),
        (
            "population:\n  users: 1\n devices_per_user: 1\n", "3:2",
            "check the indentation: keys or items that belong together begin in the same column, here in column 1, as in line 1"
        ),
        ("name:T\nstore: {catalog: x}\n", "2:6", "write a space after the ':' of line 1"),
        ("name: 'a' b\n", "1:11", "put the whole value in quotes"),
        ("store: {catalog: x}}\n", "1:20", "no bracket is open here; remove this bracket"),
        (
            "name: T\npopulation: {users: 100\nload: [1]\n", "3:5",
            "'{' of line 2, column 13 is not closed before this: close it, or write a ','"
        ),
        ("name: \"T\nstore: {catalog: x}\nload: []\n", "1:7", "close the quote that opens here"),
    ])
    func yamlSlipsGetAHint(text: String, place: String, hint: String) throws {
        let problem = try #require(problems(text).first)
        #expect("\(problem.line):\(problem.column)" == place, "\(problem)")
        #expect(problem.hint == hint, "\(problem)")
        #expect(problem.snippet != nil)
    }

    @Test func scenarioNameMustBeOneShortLine() {
        func said(_ name: String) -> [String] {
            brief(problems(small().replacing("name: Small", with: "name: \(name)")))
        }
        #expect(
            said(#""a\nb""#) == ["1:7: the name has several lines | write one line, and put the rest into description"])
        #expect(
            said(String(repeating: "x", count: 201)) == [
                "1:7: the name is too long | write at most 200 characters, and put the rest into description"
            ])
    }

    @Test func missingSectionsAreAllNamed() {
        #expect(
            brief(problems("seed: 1\n")) == [
                "1:1: missing key 'name' at the top of the file | add 'name: My scenario'",
                "1:1: missing key 'store' at the top of the file | add 'store: {catalog: Shop.storekit}'",
                "1:1: missing key 'population' at the top of the file | add 'population: {users: 1_000}'",
                "1:1: missing key 'load' at the top of the file | add 'load: [{journey: buyer, executor: at-once}]'",
                "1:1: missing key 'journeys' at the top of the file | add 'journeys: {buyer: [launch, terminate]}'",
            ])
    }

    @Test func loadEntriesNeedUniqueNames() {
        let load = "- {journey: j, executor: at-once}\n  - {journey: j, executor: at-once}"
        #expect(
            brief(problems(small(load: load))) == [
                "6:15: two load entries are called 'j' | give one of them another name with the key 'name'"
            ])
    }

    @Test func everyDuplicateKeyIsReportedAtItsPlace() {
        let text = small(extra: "seed: 1\nseed: 2\n\"seed\": 3\nclock: wall\nclock: virtual")
        #expect(
            brief(problems(text)) == [
                "10:1: duplicate key 'seed' | the first is at 9:1; keep one of them",
                "11:1: duplicate key 'seed' | the first is at 9:1; keep one of them",
                "13:1: duplicate key 'clock' | the first is at 12:1; keep one of them",
            ])
    }

    // More of them than the parser is asked again for: the rest is named once, and reading ends.
    @Test func thousandsOfDuplicateKeysAreReportedOnce() {
        let found = problems(String(repeating: "seed: 1\n", count: 1_000))
        #expect(found.map(\.message) == ["duplicate key 'seed'"])
    }

    @Test func columnsCountLettersNotBytes() {
        let text = small().replacing("name: Small", with: "{name: \"Ünïcödé 🎮\", sed: 1}")
        #expect(problems(text).first?.line == 2)
        #expect(brief(problems("{name: \"Ünïcödé 🎮\", sed: 1}")).contains { $0.hasPrefix("1:21: unknown key 'sed'") })
    }

    @Test func longLinesAreShownInPart() throws {
        let text = "{name: \"\(String(repeating: "x", count: 150))\", sed: 1}"
        let snippet = try #require(problems(text).first { $0.message.contains("sed") }?.snippet)
        #expect(snippet.text.count == 120)
        #expect(snippet.text.dropFirst(snippet.caret).hasPrefix("sed"))
    }

    @Test func problemsAreCutAfterAHundred() throws {
        let steps = (0..<250).map { "    - launhc\($0 % 2)" }.joined(separator: "\n")
        let text = small(extra: "    # more\n\(steps)")
        do {
            _ = try scenario(text)
            Issue.record("250 unknown steps were read")
        } catch let error as Problems {
            #expect(error.problems.count == 100)
            #expect(error.omitted == 150)
            #expect(error.description.hasSuffix("\nand 150 more; correct these first"))
        }
    }

    // An entry that cannot be read is no reason to say nothing of its journey.
    @Test func unknownJourneyIsReportedBesideOtherMistakes() {
        let found = problems(small(load: "- {journey: nope, executor: at-once, start_after: 3}")).map(\.message)
        #expect(found.count == 2 && found.contains { $0.hasPrefix("unknown journey") }, "\(found)")
    }
}
