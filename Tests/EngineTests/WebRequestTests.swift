// An app's requests to servers on the web: reports name the server, and only the receipt validator is called one.

import Engine
import Judgement
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@Suite struct WebRequestTests {
    private static func scenario(users: Int = 20, errors: String = "30%") throws -> Scenario {
        try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 5s", "terminate", "launch", "think: 3s", "terminate"], users: users,
            sections: [
                "network: {latency: 40ms}",
                "http: [{url: 'https://user:pass@api.example.com/verify', body: '{\"ok\": true}', errors: \(errors)}]",
            ], naming: ServerClient.self)
    }

    @Test func findingNamesTheServerThatAnswered() throws {
        let result = run(try Self.scenario(), ServerClient.self)
        let found = try #require(result.collector.evidence(of: .lostPurchase).first).evidence
        #expect(found.sentence.contains("just after api.example.com answered 503"), "\(result.story)")
        #expect(!result.story.contains("validator"), "\(result.story)")
    }

    @Test func timelineNamesWebRequestsWithoutSecrets() throws {
        let result = run(try Self.scenario(), ServerClient.self, onlyUser: 1)
        let lines = result.collector.onlyUserTimeline
        let texts = lines.map(\.text)
        #expect(texts.contains("the app sends POST https://api.example.com/verify"), "\(texts)")
        #expect(texts.contains { $0.hasPrefix("api.example.com answers ") && $0.hasSuffix(" bytes") }, "\(texts)")
        #expect(!texts.contains { $0.contains("s3cret") || $0.contains("pass@") })
        let sent = try #require(lines.first { $0.text.hasPrefix("the app sends POST") })
        #expect(sent.from == .app && sent.to == .server)
    }

    @Test func onlyValidatorAnswersCountAsValidations() throws {
        let own = run(try Self.scenario(), ServerClient.self)
        #expect(own.collector.tally.measurements[.validationDuration].response == nil)
        let validated = run(
            try Scenario.journey(["launch", "buy: extra_lives", "think: 5s", "terminate"]),
            options: ["validation": "server"])
        #expect(validated.collector.tally.measurements[.validationDuration].response?.count == 1)
    }

    // Whatever goes wrong on the way to the server, the place is named by it, and what is lost too.
    @Test func sweepNamesLostRequestsByServer() throws {
        let options = RunOptions(
            scenario: try Self.scenario(users: 1, errors: "0%"), client: ServerClient.self, workers: 1)
        let plan = SweepPlan(options: options)
        let report = SweepReport(try Sweep(plan).perform(), plan: plan, stopCause: nil, command: "stampede")
        let places = report.journeys.flatMap(\.places).map(\.text)
        #expect(places.contains("the app sends POST https://api.example.com/verify"), "\(places)")
        let lines = report.journeys.flatMap(\.stories).flatMap(\.timeline).map(\.text)
        #expect(lines.contains("lost on the way: the request POST https://api.example.com/verify"), "\(lines)")
        #expect(!(places + lines).contains { $0.contains("validator") })
    }
}
