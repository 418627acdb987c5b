// Options of the client on the command line: checked first, and kept with the report.

import ClientKit
import Foundation
import ReportModel
import Reporting
import Specimens
import Testing

@Suite struct ClientOptionTests {
    @Test func reportKeepsClientOptionsForReplay() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "client: {name: iap-manager, options: {}}")
        let client = try #require(OptionedClient.find())
        let outcome = try place.stampede(
            "run", file, "--client", client.name, "--client-option", "\(client.option)=\(client.value)", "--users",
            "40")
        #expect(try place.report().run.clientOptions == [client.option: client.value], "\(outcome)")
        for evidence in try place.report().violations.evidence {
            #expect(evidence.replay.contains("--client-option \(client.option)=\(client.value)"))
        }
    }

    @Test(arguments: [
        (["--client", "hanging", "--client-option", "hoe=waits"], "hanging has no such option", "did you mean 'how'?"),
        (["--client", "hanging", "--client-option", "how=wait"], "'wait' is not one of its values", "'waits'"),
        (["--client", "asserting", "--client-option", "how=waits"], "asserting has no such option", "it has none"),
        (["--client-option", "how"], "name=value", ""),
        (["--client-option", "how=waits", "--client-option", "how=computes"], "given twice", ""),
    ])
    func wrongClientOptionIsReportedBeforeTheRun(arguments: [String], error: String, hint: String) throws {
        let place = try Workplace()
        for command in ["run", "sweep"] {
            let outcome = try place.run(Workplace.faultyTool, [command, try place.scenario()] + arguments)
            #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(error), "\(outcome)")
            #expect(hint.isEmpty || outcome.errors.contains(hint), "\(outcome.errors)")
            #expect(!place.exists("Reports"))
        }
    }
}

/// A built-in client with an option.
private struct OptionedClient {
    let name, option, value: String

    static func find() -> OptionedClient? {
        for client in ClientRegistry.shipped {
            if let option = client.options.first, let value = option.values.last {
                return OptionedClient(name: client.name, option: option.name, value: value)
            }
        }
        return nil
    }
}
