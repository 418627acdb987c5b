// `http: {real: true}`, in a program that loads no library for the network by itself.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct RealServerTests {
    @Test func wallClockRunReachesARealServer() throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let address = server.url + "/"
        try place.write(
            """
            name: A server of the real world
            clock: wall
            store: {catalog: FakeGame.storekit}
            app: {main_queue_limit: 1m}
            http: [{url: '\(address)*', real: true}]
            population: {users: 3}
            load: [{journey: a, executor: at-once}]
            journeys: {a: [launch, {buy: extra_lives}, terminate]}

            """, to: "a.yml")
        let outcome = try place.run(
            Workplace.faultyTool, ["run", "a.yml", "--client", "asking", "--ignore-saturation"],
            environment: ["ASKED_SERVER": address + "verify"])
        #expect(outcome.isStatus(.passed), "\(outcome)")
    }
}
