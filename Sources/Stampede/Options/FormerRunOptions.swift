// Options of 'stampede run' that had other names before version 0.1.0. They go with the next release.
// Main thread.

import ArgumentParser

struct FormerRunOptions: ParsableArguments {
    @Flag(name: .customLong("history")) var history = false
    @Flag(name: .customLong("no-history")) var noHistory = false

    /// Says what those that were used are called now.
    func tellNewNames() {
        for (isUsed, former, name) in [
            (history, "--history", "--operations"), (noHistory, "--no-history", "--no-record"),
        ]
        where isUsed {
            Terminal.warn("\(former) is called \(name) now", hint: "the old name goes with the next release")
        }
    }
}
