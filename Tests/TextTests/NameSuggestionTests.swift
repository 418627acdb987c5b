// Did you mean: what is near, what is not, and that the order of the candidates does not matter.

import Testing
import Text

@Suite struct NameSuggestionTests {
    @Test(arguments: [
        ("retsore", "restore"), ("rampup", "ramp_up"), ("Launch", "launch"), ("lanch", "launch"),
        ("extra_live", "extra_lives"),
    ])
    func suggestionUnderstandsTypingSlips(name: String, meant: String) {
        #expect(closestMatch(to: name, in: ["launch", "restore", "ramp_up", "extra_lives"]) == meant)
    }

    @Test(arguments: ["", "q", "purchase", "xyz", String(repeating: "restore", count: 100_000)])
    func unrelatedNameHasNoSuggestion(name: String) {
        #expect(closestMatch(to: name, in: ["launch", "restore", "buy", ""]) == nil)
    }

    @Test func orderOfNamesDoesNotChangeTheSuggestion() {
        #expect(closestMatch(to: "bat", in: ["cat", "hat", "bar"]) == "bar")
        #expect(closestMatch(to: "bat", in: ["bar", "hat", "cat"]) == "bar")
    }

    @Test func quotedTextIsShortAndOnOneLine() {
        #expect(quoted("a\nb\u{1B}c") == "'a b c'")
        #expect(quoted(String(repeating: "x", count: 1_000)).count == 63)
    }

    @Test(arguments: ["", "_1", "1_", "1__0", "1.", ".5", "1.2.3", "-1", "1e5", "0x10", "١"])
    func malformedNumbersAreRefused(text: String) {
        #expect(throws: DecimalNumber.Problem.malformed) { try DecimalNumber(parsing: text) }
    }

    @Test func decimalProductsRoundOnceAndNeverOverflow() throws {
        #expect(try DecimalNumber(parsing: "0.1").times(1_000_000_000) == 100_000_000)
        #expect(try DecimalNumber(parsing: "0.15").times(10) == 2)
        #expect(try DecimalNumber(parsing: "999999999999999999").times(.max) == nil)
        #expect(try DecimalNumber(parsing: "000000000000000000000012").whole == 12)
        #expect(throws: DecimalNumber.Problem.tooManyDigits) { try DecimalNumber(parsing: "1234567890123456789") }
    }
}
