// What the scripts for Slurm, MPI and GNU parallel have in common.
// Pure; any thread.

import ReportModel
import Reporting
import Text

/// A bash script that starts itself again, with a word, for each part and for the merge.
struct EmittedScript {
    let run: EmittedRun

    /// A variable at the top of the script, to be changed there or in the environment.
    struct Setting {
        let name: String
        /// As bash takes it for one word.
        let value: String
        let meaning: String
    }

    var fileName: String { ShellWord.quoted(run.name ?? "job.sh") }

    var program: Setting {
        Setting(
            name: "STAMPEDE", value: ShellWord.quoted(run.program),
            meaning: "The program: every part needs the same build.")
    }

    var folder: Setting {
        Setting(
            name: "STAMPEDE_OUT", value: ShellWord.quoted(run.folder),
            meaning: "The folder of parts, logs and the report: all machines share it.")
    }

    /// Each may come from the environment.
    func settings(_ settings: [Setting]) -> String {
        settings.map { "# \($0.meaning)\n\($0.name)=${\($0.name):-\($0.value)}" }.joined(separator: "\n")
    }

    /// They go on to what the script starts.
    func exported(_ settings: [Setting]) -> String {
        self.settings(settings) + "\nexport " + settings.map(\.name).joined(separator: " ")
    }

    /// Parts, the way they are found again. `$1` is the number of one.
    var finished: String {
        #"""
        # Whether a part exists already: this script may be started again.
        finished() {
            local folder
            for folder in "$STAMPEDE_OUT"/parts/*-part-"$1"-of-\#(run.shards); do
                if [ -d "$folder" ]; then return 0; fi
            done
            return 1
        }
        """#
    }

    /// - Parameter shard: which part, as bash takes it.
    func command(shard: String, workers: String) -> String {
        #"""
        "$STAMPEDE" run \#(run.arguments) \
                --shard \#(shard) \#(run.startsTogether ? "" : "--resume ")--workers "\#(workers)" --out "$STAMPEDE_OUT/parts"
        """#
    }

    /// The verdict.
    var merge: String {
        #"""
        merge() {
            exec "$STAMPEDE" merge "$STAMPEDE_OUT"/parts/\#(run.parts) --out "$STAMPEDE_OUT/whole"
        }
        """#
    }

    /// Before anything is started.
    var refusal: String {
        // What has begun at another time is no part of such a run.
        let parts = run.startsTogether ? #" || [ -e "$STAMPEDE_OUT/parts" ]"# : ""
        return #"""
            if [ -e "$STAMPEDE_OUT/whole" ]\#(parts); then
                echo "$STAMPEDE_OUT already contains a run: move it away, or name another folder with STAMPEDE_OUT" >&2
                exit \#(ExitStatus.invalidInput.rawValue)
            fi
            """#
    }

    /// What the script does for each of its words; without one it goes on below.
    ///
    /// - Parameter part: the word for a part, and the call for it.
    func words(part: (word: String, call: String)) -> String {
        #"""
        case "${1:-}" in
        "") ;;
        \#(part.word)) \#(part.call) ;;
        merge) merge ;;
        *)
            echo "usage: bash $0" >&2
            exit \#(ExitStatus.invalidInput.rawValue)
            ;;
        esac
        """#
    }
}
