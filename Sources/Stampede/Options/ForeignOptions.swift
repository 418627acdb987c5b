// Options of other load generators, and what says the same here. Beside the keys in `ForeignWords`, which people type as
// options too.
// Constants; main thread.

import Scenario

enum ForeignOptions {
    /// With dashes: an option of ours. Without: a key of scenarios, or another way.
    static let words: [ForeignWord] = [
        ForeignWord(["-u", "-c"], of: .k6, .locust, .jmeter, is: "--users", "users"),
        ForeignWord(["-r"], of: .locust, is: "stages"),
        ForeignWord(
            ["-d", "-t", "--duration", "--run-time"], of: .k6, .locust, .jmeter,
            is: "--for", .init("for", note: "--time-limit ends the command earlier"), "--time-limit"),
        ForeignWord(["--timeout", "--max-time"], of: .locust, .jmeter, is: "--time-limit"),
        ForeignWord(["-i"], of: .k6, is: "iterations"),
        ForeignWord(["-n", "--iterations"], of: .k6, .jmeter, is: "--runs", "--pairs", "iterations"),
        ForeignWord(["-s", "--stage"], of: .k6, is: "stages"),
        ForeignWord(
            ["-f", "--locustfile", "--script", "--file", "--scenario", "--config"], of: .locust, .artillery,
            is: scenario),
        ForeignWord(
            ["-o", "--output", "--out-file", "--output-file", "--summary-export", "--report", "-l"], of: .k6,
            .artillery,
            .jmeter, is: folder, "--to", "--html", "--json"),
        ForeignWord(
            ["--summary-mode", "--no-summary", "--silent", "--only-summary"], of: .k6, .locust, .artillery,
            is: "--quiet"),
        ForeignWord(["--no-color", "--no-colour"], of: .k6, is: environment),
        ForeignWord(["--tags"], of: .k6, is: "--tag"),
        ForeignWord(["--no-thresholds"], of: .k6, is: "thresholds"),
    ]

    /// Needs no option: it is the argument.
    static let scenario = ForeignWord.Target("<scenario>")
    /// A variable of the environment.
    static let environment = ForeignWord.Target("NO_COLOR=1")
    private static let folder = ForeignWord.Target("--out", note: "it is a folder")
}
