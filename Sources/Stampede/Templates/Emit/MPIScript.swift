// `stampede emit mpi`: the parts as the ranks of one mpirun, then the merge.
// Pure; any thread.

import ReportModel
import Reporting

enum MPIScript {
    static func text(_ run: EmittedRun) -> String {
        let script = EmittedScript(run: run)
        let settings = script.settings([
            script.program, script.folder,
            .init(
                name: "STAMPEDE_MPIRUN", value: "mpirun",
                meaning: "The command that starts ranks, with its options, such as 'mpirun --hostfile hosts'."),
            .init(
                name: "STAMPEDE_WORKERS", value: "1",
                meaning: "Worker processes of each rank. With --map-by slot:PE=N, Open MPI gives each rank N cores."),
        ])
        return #"""
            #!/usr/bin/env bash
            \#(run.head("under MPI"))
            #
            # Start it in the folder that the scenario's path is relative to. All machines have to see that folder. Start it in
            # an allocation or with a list of hosts, with room for \#(HumanNumbers.quantity(run.shards, "rank")):
            #   bash \#(script.fileName)
            # The exit code of the merge is the verdict, and this script exits with it:
            \#(run.exitCodes)
            # mpirun ends all ranks when one rank breaks. \#(restart(run))
            set -euo pipefail

            \#(settings)

            \#(run.startsTogether ? "" : script.finished + "\n\n")\#
            part() {
                # Counted from 0. Slurm's number comes last: under another mpirun it is the number of a daemon.
                local rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-}}}
                if [ -z "$rank" ]; then
                    echo "$STAMPEDE_MPIRUN sets neither OMPI_COMM_WORLD_RANK nor PMI_RANK to the rank's number" >&2
                    exit \#(ExitStatus.invalidInput.rawValue)
                fi
            \#(run.startsTogether ? "" : "    if finished \"$((rank + 1))\"; then exit 0; fi\n")\#
                exec \#(script.command(shard: "\"$((rank + 1))/\(run.shards)\"", workers: "$STAMPEDE_WORKERS"))
            }

            \#(script.merge)

            \#(script.words(part: ("part", "part")))

            \#(script.refusal)

            read -ra launcher <<<"$STAMPEDE_MPIRUN"
            code=0
            # Not every mpirun passes variables to other machines.
            "${launcher[@]}" -n \#(run.shards) env STAMPEDE="$STAMPEDE" STAMPEDE_OUT="$STAMPEDE_OUT" \
                STAMPEDE_WORKERS="$STAMPEDE_WORKERS" bash "$0" part || code=$?
            if [ "$code" != 0 ]; then echo "the parts exited with $code" >&2; fi
            merge

            """#
    }

    private static func restart(_ run: EmittedRun) -> String {
        run.startsTogether
            ? "The scenario runs in real time: all ranks start together."
            : "If you start this script again, unfinished parts resume."
    }
}
