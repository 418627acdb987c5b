// Numbers as people read them.

import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct HumanNumbersTests {
    @Test(arguments: [
        (0.0, "0s"), (1, "1ns"), (350, "350ns"), (999.4, "999ns"), (999.6, "1µs"), (12_000, "12µs"), (12_340, "12.3µs"),
        (148_000_000, "148ms"), (1_240_000_000, "1.24s"), (999_900_000, "1s"), (59_900_000_000, "59.9s"),
        (59_960_000_000, "1m00s"), (125e9, "2m05s"), (12_000e9, "3h20m"), (1_051_200e9, "12d4h"), (-2e9, "-2s"),
        (.nan, "?"), (1e300, "106,751,991,167,300d15h"),
    ])
    func durationHasAboutThreeDigits(nanoseconds: Double, text: String) {
        #expect(HumanNumbers.duration(nanoseconds: nanoseconds) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_002_003, "1,002,003"), (-45_678, "-45,678")])
    func countHasThousandsSeparators(value: Int, text: String) {
        #expect(HumanNumbers.count(value) == text)
    }

    @Test(arguments: [(0.0, "0B"), (1_023, "1,023B"), (8_192, "8KiB"), (1_572_864, "1.5MiB"), (5e12, "4.55TiB")])
    func bytesHaveBinaryUnits(value: Double, text: String) {
        #expect(HumanNumbers.bytes(value) == text)
    }

    // A run in which one purchase of a million failed is not one in which all succeeded.
    @Test(arguments: [
        (1, 1, "100%"), (999_999, 1_000_000, "99.99%"), (1, 1_000_000, "0.01%"), (0, 5, "0%"),
        (9_912, 10_000, "99.12%"),
        (0, 0, "?"),
    ])
    func shareNeverRoundsToZeroOrHundredPercent(passes: Int, total: Int, text: String) {
        #expect(HumanNumbers.share(passes: passes, total: total) == text)
    }

    @Test(arguments: [
        (0.0, "0"), (0.001, "<0.01"), (0.4, "0.4"), (1.25, "1.25"), (12.34, "12.3"), (123.4, "123"), (20_575, "20,575"),
        (-3, "-3"), (.infinity, "?"),
    ])
    func numberHasAboutThreeDigits(value: Double, text: String) {
        #expect(HumanNumbers.number(value) == text)
    }

    @Test(arguments: [
        (0.9912, ReportUnit.fraction, "99.12%"), (1, .fraction, "100%"), (0.999_999_999_99, .fraction, "99.99%"),
        (2e9, .nanoseconds, "2s"), (8_192, .bytes, "8KiB"), (3, .count, "3"), (3.5, .perSecond, "3.5/s"),
    ])
    func valueIsWrittenWithItsUnit(value: Double, unit: ReportUnit, text: String) {
        #expect(HumanNumbers.value(value, unit: unit) == text)
    }

    @Test(arguments: [(0 as Int64, "00:00:00.000"), (192_480_999_999, "00:03:12.480"), (.max, "2562047:47:16.854")])
    func clockTimeHasMilliseconds(nanoseconds: Int64, text: String) {
        #expect(HumanNumbers.clock(nanoseconds: nanoseconds) == text)
    }

    @Test(arguments: [
        (0, 6, "0.000000"), (0.000_381, 6, "0.000381"), (1, 2, "1.00"), (-12.5, 1, "-12.5"), (0.05, 1, "0.1"),
        (123, 0, "123"), (0, 0, "0"), (-0.001, 2, "0.00"), (9.99, 1, "10.0"), (1e6, 12, "1000000.000000000000"),
    ])
    func fixedNumberHasItsDecimals(value: Double, decimals: Int, text: String) {
        #expect(HumanNumbers.fixed(value, decimals: decimals) == text)
    }

    @Test(
        arguments: [
            (0, "0s"), (1_500_000, "1.5ms"), (10_000_000_000, "10s"), (60_000_000_000, "1m"), (90_000_000_000, "1m30s"),
            (7_200_000_000_000, "2h"), (90_061_000_000_000, "1d1h"),
        ] as [(Int64, String)])
    func roundDurationIsWrittenAsChosen(nanoseconds: Int64, text: String) {
        #expect(HumanNumbers.roundDuration(nanoseconds: nanoseconds) == text)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1k"), (12_345, "12.3k"), (99_949, "99.9k"), (99_950, "100k"),
        (999_499, "999k"), (999_500, "1M"), (-1_234_567, "-1.2M"), (Int.max, "9,223,372T"),
    ])
    func shortCountHasThreeDigits(value: Int, text: String) { #expect(HumanNumbers.short(value) == text) }
}
