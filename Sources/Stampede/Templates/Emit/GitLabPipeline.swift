// `stampede emit gitlab`: parallel jobs that are handed the same executable, then the merge.
// Pure; any thread.

enum GitLabPipeline {
    /// A job can need as many others, each part counted, unless the instance allows more.
    private static let needsMax = 50

    static func text(_ run: EmittedRun) -> String {
        let build = ProgramBuild(product: run.program)
        return #"""
            \#(run.head("under GitLab CI"))
            #
            # As \#(run.name ?? Scheduler.gitlab.usualName), this file runs with every pipeline. The exit code of stampede-merge is the verdict,
            # and decides the result of the job:
            \#(run.exitCodes)
            # The report is the artifact of the job stampede-merge; its violations are listed with the pipeline's tests.
            # It builds the package in the repository's root. Packages outside the repository have to be fetched first.
            \#(run.startsTogether ? realTime : "")\#
            stages: [build, parts, merge]

            stampede-build:
              stage: build
              image: \#(ProgramBuild.buildImage)
              script:
                - \#(ProgramBuild.buildPackages)
                - |
            \#(EmittedYAML.indented(build.build + "\n" + build.gather, by: 6))
              artifacts:
                paths: [program/]
                expire_in: 1 day

            stampede-parts:
              stage: parts
              image: \#(ProgramBuild.runImage)
              needs: [stampede-build]
              parallel: \#(run.shards)
            \#(run.startsTogether ? "" : retry)\#
              script:
                - \#(ProgramBuild.runPackages)
                - |
            \#(EmittedYAML.indented(path + "\(run.program) run \(run.arguments) --shard \"${CI_NODE_INDEX:-1}/\(run.shards)\" --out Reports/parts", by: 6))
              artifacts:
                when: always
                paths: [Reports/parts/]
                expire_in: 1 week

            stampede-merge:
              stage: merge
              image: \#(ProgramBuild.runImage)
              \#(needs(run))
              # Also after failed parts: the merge names the missing parts.
              when: always
              script:
                - \#(ProgramBuild.runPackages)
                - |
            \#(EmittedYAML.indented(path + "\(run.program) merge Reports/parts/\(run.parts) --out Reports/whole", by: 6))
              artifacts:
                when: always
                paths: [Reports/whole/]
                reports: {junit: Reports/whole/junit.xml}

            """#
    }

    private static let path = "export PATH=\"$PWD/program:$PATH\"\n"

    private static let realTime =
        "# The scenario runs in real time, and nothing here makes its parts start together.\n"

    /// What is the runner's fault, and no part's.
    private static let retry = "  retry: {max: 2, when: [runner_system_failure, stuck_or_timeout_failure]}\n"

    private static func needs(_ run: EmittedRun) -> String {
        if run.shards < needsMax { return "needs: [stampede-build, stampede-parts]" }
        return """
            # 'needs' allows fewer jobs than there are parts: this job starts when the stages before it have ended.
              dependencies: [stampede-build, stampede-parts]
            """
    }
}
