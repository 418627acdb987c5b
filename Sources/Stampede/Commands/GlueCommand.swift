// stampede glue: the file that a client's own module adds, so that its queues and defaults are its device's.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting

struct GlueCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "glue",
        abstract: "Print the Swift file that a client's own module adds.",
        discussion: """
            In programs built with -static-stdlib or a sanitizer, code that hops to DispatchQueue.main or to a queue of \
            its own, or keeps things in UserDefaults.standard, would leave its simulated device. The file's extensions \
            lead it back, without a change to the code. Other programs do not need it.

              stampede glue > Sources/MyShop/StampedeGlue.swift
            """)

    mutating func perform() throws -> ExitStatus {
        Terminal.write(GlueFile.text)
        return .passed
    }
}
