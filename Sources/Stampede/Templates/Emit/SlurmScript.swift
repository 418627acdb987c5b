// `stampede emit slurm`: an array of parts and the merge that depends on it, or one step where parts begin together.
// Pure; any thread.

enum SlurmScript {
    /// What Slurm takes unless its MaxArraySize was raised, which is one more.
    static let usualArrayMax = 1_000

    static func text(_ run: EmittedRun) -> String {
        let script = EmittedScript(run: run)
        let settings = script.exported([
            script.program, script.folder,
            .init(
                name: "STAMPEDE_TIME", value: "01:00:00", meaning: "The time limit of each part, and of the merge."),
            .init(
                name: "STAMPEDE_CPUS", value: "4",
                meaning: "Processors for each part, which runs one worker process on each."),
        ])
        return #"""
            #!/usr/bin/env bash
            \#(run.head("under Slurm"))
            #
            # Start it where jobs are submitted, in the folder that the scenario's path is relative to, on a file system that
            # all nodes see:
            #   bash \#(script.fileName)
            # It submits \#(run.startsTogether ? "one job whose tasks are the parts" : "the parts as an array"), and \#
            a merge that starts when they have ended. Then it waits for the merge.
            # The exit code of the merge is the verdict, and this script exits with it:
            \#(run.exitCodes)
            # Both jobs continue if this script is ended: 'sacct -o ExitCode -j' with the merge's number then shows the verdict,
            # and logs/merge.txt explains it.
            \#(restart(run))
            # Partition and account come from SBATCH_PARTITION and SBATCH_ACCOUNT.
            set -euo pipefail

            \#(settings)

            \#(run.startsTogether ? step(script) : array(script))

            \#(script.merge)

            \#(script.words(part: run.startsTogether ? ("parts", "parts") : ("part", "part")))

            \#(script.refusal)
            mkdir -p "$STAMPEDE_OUT/logs"
            rm -f "$STAMPEDE_OUT/logs/merge.txt"

            \#(run.startsTogether ? submitStep(run) : submitArray(run))
            # The cluster's name may follow the number.
            parts=${parts%%;*}
            echo "job $parts runs the parts; their output is in $STAMPEDE_OUT/logs"

            code=0
            sbatch --wait --export=ALL --job-name=stampede-merge --dependency="afterany:$parts" --kill-on-invalid-dep=yes \
                --requeue --time="$STAMPEDE_TIME" --output="$STAMPEDE_OUT/logs/merge.txt" "$0" merge || code=$?
            if [ -f "$STAMPEDE_OUT/logs/merge.txt" ]; then cat "$STAMPEDE_OUT/logs/merge.txt"; fi
            exit "$code"

            """#
    }

    private static func restart(_ run: EmittedRun) -> String {
        if run.startsTogether {
            return """
                # The scenario runs in real time: its parts are the tasks of one step, so that they start together. No part is
                # restarted.
                """
        }
        return """
            # A part that Slurm restarts resumes. If you start this script again, parts that were killed or whose time was over
            # resume too.
            """
    }

    // MARK: An array

    private static func array(_ script: EmittedScript) -> String {
        #"""
        \#(script.finished)

        part() {
            if finished "$SLURM_ARRAY_TASK_ID"; then exit 0; fi
            # Replaces this shell, so that Slurm signals the program.
            exec \#(script.command(shard: "\"$SLURM_ARRAY_TASK_ID/\(script.run.shards)\"", workers: "$SLURM_CPUS_PER_TASK"))
        }
        """#
    }

    /// A minute before the end the program is told, and keeps what it has.
    private static func submitArray(_ run: EmittedRun) -> String {
        #"""
        parts=$(sbatch --parsable --export=ALL --job-name=stampede-parts --array=1-\#(run.shards) --requeue --open-mode=append \
            --cpus-per-task="$STAMPEDE_CPUS" --time="$STAMPEDE_TIME" --signal=B:TERM@60 \
            --output="$STAMPEDE_OUT/logs/part-%a.txt" "$0" part)
        """#
    }

    // MARK: A step

    private static func step(_ script: EmittedScript) -> String {
        #"""
        parts() {
            exec srun --kill-on-bad-exit=0 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
                \#(script.command(shard: "auto", workers: "$SLURM_CPUS_PER_TASK"))
        }
        """#
    }

    private static func submitStep(_ run: EmittedRun) -> String {
        #"""
        parts=$(sbatch --parsable --export=ALL --job-name=stampede-parts --ntasks=\#(run.shards) --no-requeue \
            --cpus-per-task="$STAMPEDE_CPUS" --time="$STAMPEDE_TIME" --signal=TERM@60 \
            --output="$STAMPEDE_OUT/logs/parts.txt" "$0" parts)
        """#
    }
}
