// The receipt validator's section, from the file to the values.

import Scenario
import Simulation
import Testing

@Suite struct ValidatorReadingTests {
    private func with(_ validator: String) -> String { small(extra: "validator: \(validator)") }

    @Test func readerReadsEveryKeyOfValidator() throws {
        let validator = try scenario(
            with(
                "{latency: {median: 80ms, p99: 1s}, errors: 2%, outages: [{at: 3s, for: 4s, answer: error}, "
                    + "{at: 9s, for: 3s, answer: timeout}, {at: 14s, for: 3s, answer: slow, by: 2s}]}")
        ).validator
        #expect(validator.latency == .logNormal(median: 80_000_000, p99: 1_000_000_000))
        #expect(validator.errors == .percent(2))
        #expect(
            validator.outages == [
                StoreOutage(start: .start + .seconds(3), duration: .seconds(4), answer: .error),
                StoreOutage(start: .start + .seconds(9), duration: .seconds(3), answer: .timeout),
                StoreOutage(start: .start + .seconds(14), duration: .seconds(3), answer: .slow(by: .seconds(2))),
            ])
    }

    @Test func validatorHasDefaultsIfOmitted() throws {
        #expect(try scenario(small()).validator == ServerConditions())
        #expect(try scenario(with("{}")).validator == ServerConditions())
    }

    @Test(arguments: [
        ("{latensy: 1s}", "9:13: unknown key 'latensy' in validator | did you mean 'latency'?"),
        ("{latency: soon}", "9:22: 'soon' is not a duration in validator.latency"),
        ("{errors: 200%}", "9:21: '200%' is more than the whole in validator.errors"),
        ("{outages: {at: 1s}}", "9:22: expected a list of outages in validator.outages"),
        ("{outages: []}", "9:22: the list of outages in validator.outages is empty"),
        ("{outages: [{at: 1s, for: 0s, answer: error}]}", "9:37: '0s' is zero in validator.outages[0].for"),
        ("{outages: [{at: 1s, for: 2s}]}", "9:23: missing key 'answer' in validator.outages[0]"),
        (
            "{outages: [{at: 1s, for: 2s, answer: slowly}]}",
            "9:49: unknown 'slowly' in validator.outages[0].answer | did you mean 'slow'?"
        ),
        (
            "{outages: [{at: 1s, for: 2s, answer: error, by: 1s}]}",
            "9:60: 'by' in validator.outages[0] has no effect when the answer is 'error' | answer: slow"
        ),
        ("often", "9:12: expected a mapping in validator, found"),
    ])
    func readerReportsImpossibleValidators(_ validator: String, _ problem: String) {
        let found = brief(problems(with(validator)))
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }
}
