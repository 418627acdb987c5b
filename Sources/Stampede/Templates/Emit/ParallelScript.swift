// `stampede emit parallel`: the parts side by side on the cores of one machine, then the merge.
// Pure; any thread.

enum ParallelScript {
    static func text(_ run: EmittedRun) -> String {
        let script = EmittedScript(run: run)
        let settings = script.exported([script.program, script.folder] + (run.startsTogether ? all(run) : some))
        return #"""
            #!/usr/bin/env bash
            \#(run.head("under GNU parallel"))
            #
            # Start it in the folder that the scenario's path is relative to:
            #   bash \#(script.fileName)
            # The exit code of the merge is the verdict, and this script exits with it:
            \#(run.exitCodes)
            \#(restart(run))
            set -euo pipefail

            # $1 divided by $2, and at least 1.
            share() { echo "$(($1 < $2 ? 1 : $1 / $2))"; }

            \#(settings)

            \#(run.startsTogether ? "" : script.finished + "\n\n")\#
            part() {
            \#(run.startsTogether ? "" : "    if finished \"$1\"; then exit 0; fi\n")\#
                exec \#(script.command(shard: "\"$1/\(run.shards)\"", workers: "$STAMPEDE_WORKERS"))
            }

            \#(script.merge)

            \#(script.words(part: ("part", "part \"$2\"")))

            \#(script.refusal)
            mkdir -p "$STAMPEDE_OUT"

            code=0
            seq \#(run.shards) | parallel --jobs "$STAMPEDE_JOBS" --halt never --joblog "$STAMPEDE_OUT/parallel.txt" \
                --quote bash "$0" part {} || code=$?
            if [ "$code" != 0 ]; then
                echo "parallel exited with $code: $STAMPEDE_OUT/parallel.txt lists the parts that did not finish" >&2
            fi
            merge

            """#
    }

    private static func restart(_ run: EmittedRun) -> String {
        run.startsTogether
            ? "# The scenario runs in real time: all parts start together and share the machine."
            : "# If you start this script again, killed parts resume. parallel.txt lists what ran and how it ended."
    }

    /// Parts in real time begin together.
    private static func all(_ run: EmittedRun) -> [EmittedScript.Setting] {
        [
            .init(
                name: "STAMPEDE_WORKERS", value: "$(share \"$(nproc)\" \(run.shards))",
                meaning: "Worker processes of each part."),
            .init(name: "STAMPEDE_JOBS", value: "\(run.shards)", meaning: "Parts at the same time: all of them."),
        ]
    }

    private static let some: [EmittedScript.Setting] = [
        .init(name: "STAMPEDE_WORKERS", value: "1", meaning: "Worker processes of each part."),
        .init(
            name: "STAMPEDE_JOBS", value: "$(share \"$(nproc)\" \"$STAMPEDE_WORKERS\")",
            meaning: "Parts at the same time."),
    ]
}
