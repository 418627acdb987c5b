// `stampede emit github`: a matrix of parts that are handed the same executable, then the merge.
// Pure; any thread.

enum GitHubWorkflow {
    static func text(_ run: EmittedRun) -> String {
        let build = ProgramBuild(product: run.program)
        let program = run.program
        return #"""
            \#(run.head("under GitHub Actions"))
            #
            # As \#(run.name ?? Scheduler.github.usualName), this workflow runs for every pull request, and when started by hand.
            # The exit code of the merge step is the verdict, and decides the job's conclusion:
            \#(run.exitCodes)
            # The report is the artifact 'report'; its summary is on the run's page.
            \#(run.startsTogether ? realTime : onePackage)
            name: Stampede \#(run.stem)
            on: [pull_request, workflow_dispatch]
            permissions: {contents: read}
            defaults: {run: {shell: bash}}
            jobs:
              build:
                runs-on: ubuntu-24.04
                container: \#(ProgramBuild.buildImage)
                steps:
                  - uses: actions/checkout@v4
                  - name: Install the build's packages
                    run: \#(ProgramBuild.buildPackages)
                  - name: Build, once for all parts
                    run: |
            \#(indented(build.build))
                  - name: Pack it, because artifacts lose file permissions
                    run: |
            \#(indented(build.gather + "\ntar -czf program.tgz program"))
                  - uses: actions/upload-artifact@v4
                    with: {name: program, path: program.tgz, retention-days: 1, overwrite: true}
              parts:
                needs: build
                strategy:
                  fail-fast: false
                  matrix:
                    shard: [\#(EmittedYAML.numbers(to: run.shards, indent: 16))]
                runs-on: ubuntu-24.04
                container: \#(ProgramBuild.runImage)
                steps:
                  - uses: actions/checkout@v4
            \#(handOver)
                  - name: Part ${{ matrix.shard }} of \#(run.shards)
                    run: |
            \#(indented("\(program) run \(run.arguments) --out Reports/parts", "--shard ${{ matrix.shard }}/\(run.shards)"))
                  - uses: actions/upload-artifact@v4
                    with:
                      name: part-${{ matrix.shard }}
                      path: Reports/parts/*-part-*
                      if-no-files-found: error
                      overwrite: true
              merge:
                needs: [build, parts]
                # Also after failed parts: the merge names the missing parts.
                if: ${{ !cancelled() && needs.build.result == 'success' }}
                runs-on: ubuntu-24.04
                container: \#(ProgramBuild.runImage)
                steps:
            \#(handOver)
                  - uses: actions/download-artifact@v4
                    with: {pattern: part-*, path: Reports/parts, merge-multiple: true}
                  - name: The verdict
                    run: |
            \#(indented("\(program) merge Reports/parts/\(run.parts) --out Reports/whole"))
                  - name: Keep the report
                    if: ${{ !cancelled() }}
                    uses: actions/upload-artifact@v4
                    with: {name: report, path: Reports/whole/, overwrite: true}

            """#
    }

    private static let onePackage =
        "# It builds the package in the repository's root. Packages outside the repository have to be fetched first."

    private static let realTime = """
        \(onePackage)
        # The scenario runs in real time, and nothing here makes its parts start together.
        """

    /// The executable on the machine of another job.
    private static let handOver = """
              - name: Install the program's libraries
                run: \(ProgramBuild.runPackages)
              - uses: actions/download-artifact@v4
                with: {name: program}
              - name: Unpack it
                run: tar -xzf program.tgz && echo "$PWD/program" >>"$GITHUB_PATH"
        """

    /// Lines of a script. What GitHub would take for an expression of its own, in what was given, is one that gives just
    /// that.
    ///
    /// - Parameter expression: words that are GitHub's.
    private static func indented(_ script: String, _ expression: String? = nil) -> String {
        let parts = script.split(separator: "${{", omittingEmptySubsequences: false)
        let literal = parts.joined(separator: "${{ '${{' }}")
        return EmittedYAML.indented(literal + (expression.map { " " + $0 } ?? ""), by: 10)
    }
}
