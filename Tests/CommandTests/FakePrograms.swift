// Programs that stand in for others in tests of scripts: they write down what they were asked for.
// Constants; any thread.

enum FakePrograms {
    static let all = [
        "stampede": stampede, "sbatch": sbatch, "srun": srun, "mpirun": mpirun, "parallel": parallel,
        "kubectl": kubectl, "sleep": "",
    ]

    /// Leaves a part's folder, or a report. BROKEN is the part that comes to no end, VERDICT what a merge ends with.
    private static let stampede = #"""
        (IFS='|'; printf '%s\n' "$*" >>calls.txt)
        command=$1 names=() out= shard=
        shift
        while [ $# -gt 0 ]; do
            case $1 in
            --out) out=$2; shift 2 ;;
            --shard) shard=$2; shift 2 ;;
            *) names+=("$1"); shift ;;
            esac
        done
        if [ "$command" = run ]; then
            [ "$shard" != auto ] || shard=$((SLURM_PROCID + 1))/$SLURM_NTASKS
            [ "${shard%/*}" != "${BROKEN:-}" ] || exit 105
            mkdir -p "$out/small-reference-1-part-${shard%/*}-of-${shard#*/}"
        else
            for name in "${names[@]}"; do [ -d "$name" ] || { echo "there is no $name"; exit 104; }; done
            [ ${#names[@]} = 4 ] || { echo "there are ${#names[@]} parts"; exit 104; }
            mkdir "$out"
            echo "the summary"
            exit "${VERDICT:-0}"
        fi

        """#

    /// Runs jobs at once, an array's tasks one after the other.
    private static let sbatch = #"""
        echo "$*" >>asked.txt
        tasks= output= isWaitedFor=
        export SLURM_CPUS_PER_TASK=1 SLURM_NTASKS=1
        while [[ ${1:-} == --* ]]; do
            case $1 in
            --array=1-*) tasks=${1#--array=1-} ;;
            --ntasks=*) SLURM_NTASKS=${1#*=} ;;
            --cpus-per-task=*) SLURM_CPUS_PER_TASK=${1#*=} ;;
            --output=*) output=${1#*=} ;;
            --wait) isWaitedFor=yes ;;
            esac
            shift
        done
        [ -f "$1" ] || exit 1
        code=0
        if [ "$tasks" ]; then
            for task in $(seq "$tasks"); do
                SLURM_ARRAY_TASK_ID=$task bash "$@" >"${output/\%a/$task}" 2>&1
            done
        else
            SLURM_PROCID=0 bash "$@" >"$output" 2>&1 || code=$?
        fi
        if [ "$isWaitedFor" ]; then echo "Submitted batch job 4322"; exit "$code"; fi
        echo "4321;cluster"

        """#

    private static let srun = #"""
        while [[ $1 == --* ]]; do shift; done
        for rank in $(seq 0 $((SLURM_NTASKS - 1))); do SLURM_PROCID=$rank "$@" & done
        wait

        """#

    /// Ends with what the first rank that breaks ends with.
    private static let mpirun = #"""
        echo "$*" >>asked.txt
        name=OMPI_COMM_WORLD_RANK
        unset SLURM_PROCID PMI_RANK
        while [[ $1 == --* ]]; do
            case $1 in
            --as) name=$2; shift 2 ;;
            --without-numbers) name=NUMBER; shift ;;
            esac
        done
        [ "$1" = -n ] || exit 1
        count=$2 code=0
        shift 2
        # As on another machine, which has none of these.
        for variable in STAMPEDE STAMPEDE_OUT STAMPEDE_WORKERS; do export -n "$variable"; done
        for rank in $(seq 0 $((count - 1))); do env "$name=$rank" "$@" || code=$?; done
        exit "$code"

        """#

    /// A cluster whose merge has ended when it is asked for the third time.
    private static let kubectl = #"""
        echo "$*" >>asked.txt
        case "$1 ${2:-}" in
        "get job") [ "$(grep -c '^get job' asked.txt)" -lt 3 ] || printf 'FailureTarget Failed' ;;
        "get pods") printf '%s' "$VERDICT" ;;
        logs*) echo "the summary" ;;
        esac

        """#

    /// One after the other; ends with how many have failed.
    private static let parallel = #"""
        echo "$*" >>asked.txt
        while [[ $1 == --* ]]; do
            case $1 in
            --jobs | --halt | --joblog) shift 2 ;;
            --quote) shift ;;
            *) exit 255 ;;
            esac
        done
        failed=0
        while read -r line; do "${@/\{\}/$line}" </dev/null || failed=$((failed + 1)); done
        exit "$failed"

        """#
}
