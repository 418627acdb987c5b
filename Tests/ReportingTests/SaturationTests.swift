// A machine that could not keep up: never green, unless somebody says so.

import Engine
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Testing

@Suite struct SaturationTests {
    @Test(arguments: [
        (Saturation.pressure(0.83), "83 % of the time"), (.steal(0.2), "20 % of the processors' time"),
        (.lag(250_000_000), "250ms late"),
    ])
    func saturatedMachineMakesTheVerdictUnknown(sign: Saturation, words: String) throws {
        let scenario = try Scenario.journey(["launch", "buy: extra_lives"], users: 3)
        var result = run(scenario)
        let judged = result.judge(scenario.thresholdsInForce(for: "reference"))
        #expect(result.verdict(judged).status == .passed)
        result.host.saturation = [sign]
        let verdict = result.verdict(judged)
        #expect(verdict.status == .unknown && verdict.sentences.contains { $0.contains(words) }, "\(verdict)")
        #expect(result.verdict(judged, ignoresSaturation: true).status == .passed)
    }

    // What jumps from event to event is as right on a busy machine as on an idle one.
    @Test func virtualClockIsNeverSaturated() throws {
        let result = run(try Scenario.journey(["launch"], users: 50))
        #expect(result.host.saturation.isEmpty)
    }
}
