// stampede glue: the file that a client's own module adds, so that its queues and defaults are its device's.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting

struct GlueCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "glue",
        abstract: "Print a Swift file to add to the client's own module.",
        discussion: """
            In programs built with -static-stdlib or a sanitizer, code leaves its simulated device when it uses \
            DispatchQueue.main, a queue of its own, or UserDefaults.standard. The extensions in this file keep the code \
            on its device, without a change to the code. Other programs do not need the file.

              stampede glue > Sources/MyShop/StampedeGlue.swift
            """)

    mutating func perform() throws -> ExitStatus {
        Terminal.write(GlueFile.text)
        return .passed
    }
}
