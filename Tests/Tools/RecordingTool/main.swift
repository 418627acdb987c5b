// Adds runs to a database until it is killed, or as many as it is told to: PATH WRITER [COUNT].
// One thread.

import RunStore

let path = CommandLine.arguments[1]
let writer = CommandLine.arguments[2]
let count = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? 0 : .max

/// Many, so that most of the time passes within a transaction.
let figures = (0..<200).map {
    RecordedFigure(name: "figure_\($0)", value: Double($0), unit: "count", direction: "neutral", isExact: true)
}

var done = 0
while done < count {
    // Each run comes with a connection of its own, as with the command.
    try RunDatabase.recording(at: path).add(
        RecordedRun(
            startedAt: "2024-01-02T03:04:05Z", scenario: "Scenario", file: "scenario.yml", client: writer,
            clientOptions: "", seed: UInt64(done), clock: "virtual", users: 10, outcome: "passed", exitCode: 0,
            isWhole: true, version: "1", commit: nil, isDirty: nil, system: "test", cores: 1, workers: 1,
            durationSeconds: 1, folder: "folder"),
        figures: figures)
    done += 1
}
