// stampede relay-otlp: sends what a run hands it. Not for people: `run --otlp` starts it.
// Main thread sends; another reads the standard input.

import ArgumentParser
import CWorkers
import Foundation
import ReportModel
import Reporting

struct RelayCommand: StatusCommand {
    static let name = "relay-otlp"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Send metrics from the standard input, one body per line.", shouldDisplay: false)

    @Argument(help: "Where to.")
    var url: String

    mutating func perform() throws -> ExitStatus {
        // Whoever stops the run, by all its processes too, wants to see its end.
        stampede_ignore_stop_signals(true)
        let endpoint = try OTLPEndpoint(url, environment: ProcessInfo.processInfo.environment)
        let inbox = RelayInbox()
        Thread {
            inbox.fill(from: STDIN_FILENO)
            stampede_ignore_stop_signals(false)
        }.start()
        var sender = OTLPSender(endpoint, inbox)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        Terminal.write(String(decoding: try encoder.encode(sender.run()), as: UTF8.self))
        return .passed
    }
}
