// stampede emit: a run in parts, as a file for a scheduler.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import ReportModel
import Reporting
import Scenario
import Text

struct EmitCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "emit",
        abstract: "Write the file that has a scheduler run a scenario in parts.",
        discussion: """
            For many machines, or many cores: the file starts so many parts of one run, and then merges them into the \
            report that the run in one piece would have had. The merge's exit code is the verdict. The head of each \
            file says where that comes out, and how to start it.

              stampede emit slurm quickstart --shards 16 --to job.sh
              bash job.sh

            For slurm, mpi and parallel it is a bash script, for kubernetes manifests, for github a workflow and for \
            gitlab a pipeline.
            """)

    @Argument(help: "What it is for.")
    var scheduler: Scheduler

    @OptionGroup var subject: SubjectOptions

    @Option(help: "virtual (as fast as possible, repeatable) or wall (real time), instead of the scenario's.")
    var clock: RunClock?

    @Option(
        parsing: .unconditional, help: "How many users; load, arrival rates and bounds on counts change in proportion.")
    var users: Int?

    @Option(parsing: .unconditional, help: "How many parts.")
    var shards: Int

    @Option(
        help: ArgumentHelp(
            """
            How the program is called there: its name or path, or the product to build for kubernetes, github and \
            gitlab. Default: this program's name.
            """, valueName: "program"))
    var command: String?

    @Option(help: ArgumentHelp("For kubernetes: the image to run. Default: the program's name.", valueName: "name"))
    var image: String?

    @Flag(help: "For kubernetes: print what builds the image instead of the manifests.")
    var containerfile = false

    @Option(
        help: ArgumentHelp("The file to write. Default: the standard output.", valueName: "file"), completion: .file())
    var to: String?

    mutating func validate() throws {
        if scheduler != .kubernetes, image != nil || containerfile {
            throw ValidationError("--image and --containerfile are for kubernetes")
        }
    }

    mutating func perform() throws -> ExitStatus {
        let path = ScenarioPath.found(subject.scenario)
        var problems = CommandProblems()
        let options = try problems.noting {
            try CommandContext.runOptions(
                scenario: path, client: subject.client, clientOptions: subject.clientOption, seed: subject.seed,
                workers: nil, clock: clock, users: users)
        }
        try problems.noting { try checkShards() }
        let program = try problems.noting { try programName() }
        if let problem = problems.all { throw problem }
        try checkText((image ?? "") + (to ?? ""))
        guard let options, let program else { preconditionFailure("\(path) was read") }
        let files = try files(path, options.scenario)
        let words = try words(files.first ?? path)
        let run = EmittedRun(
            program: program, words: words, files: files, shards: shards,
            clock: options.scenario.clock,
            stem: ReportFolder.folderStem(
                file: path, name: options.scenario.name, client: options.client.name, seed: options.scenario.seed),
            madeBy: madeBy(words), name: to.flatMap { StandardOutput.isMeant(by: $0) ? nil : $0 })
        try checkMerge(run)
        try CommandContext.put(text(run), to: to ?? "-")
        tell(run, cells: CellPlan(options.scenario).cellCount)
        return .passed
    }

    private func text(_ run: EmittedRun) -> String {
        switch scheduler {
        case .slurm: return SlurmScript.text(run)
        case .mpi: return MPIScript.text(run)
        case .parallel: return ParallelScript.text(run)
        case .github: return GitHubWorkflow.text(run)
        case .gitlab: return GitLabPipeline.text(run)
        case .kubernetes:
            let manifest = KubernetesManifest(
                run: run, image: image ?? KubernetesManifest.usualImage(run.program))
            return containerfile ? manifest.containerfile : manifest.text
        }
    }

    // MARK: Checks

    private func checkShards() throws {
        guard Shard(index: 1, of: shards) != nil else {
            throw CommandProblem("--shards \(shards): from 1 to \(HumanNumbers.count(Shard.countMax)) parts")
        }
        guard let max = scheduler.shardsMax, shards > max else { return }
        throw CommandProblem(
            "--shards \(shards): \(scheduler.title) takes \(max) parts at most",
            hint: "take fewer and larger parts, each of which uses all cores of its machine")
    }

    /// The merge names all parts.
    private func checkMerge(_ run: EmittedRun) throws {
        guard run.mergeBytes > EmittedRun.mergeBytesMax else { return }
        let most = shards * EmittedRun.mergeBytesMax / run.mergeBytes
        throw CommandProblem(
            "--shards \(shards): the names of so many parts do not fit on the merge's command line",
            hint: "take fewer and larger parts, \(HumanNumbers.count(most / 1_000 * 1_000)) at most")
    }

    private func programName() throws -> String {
        // In words it may stand between quotes.
        let own = CommandContext.registry.additional.isEmpty ? CommandName.words : Paths.program.lastPathComponent
        let program = command ?? own
        try checkText(program)
        guard !program.isEmpty, !program.hasPrefix("-") else {
            throw CommandProblem("--command '\(program)' is no program's name")
        }
        let isPlain = program.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
        if scheduler.buildsProgram, !isPlain {
            throw CommandProblem(
                "--command '\(program)' is no product of a package",
                hint: "for \(scheduler.title) it is built: give the name of the executable product, such as stampede")
        }
        return program
    }

    /// A line of a file ends where a text has the end of a line.
    private func checkText(_ text: String) throws {
        guard text.unicodeScalars.contains(where: \.isUnsafe) else { return }
        throw CommandProblem(
            "\(quoted(text)) has letters that end a line or cannot be seen, which such a file cannot have",
            hint: "take a name without them")
    }

    // MARK: What the file says

    /// What `run` is given.
    private func words(_ path: String) throws -> [String] {
        // Not an option's name.
        var words = subject.words(naming: path.hasPrefix("-") ? "./" + path : path)
        if let clock { words += ["--clock", clock.rawValue] }
        if let users { words += ["--users", "\(users)"] }
        for word in words { try checkText(word) }
        return words
    }

    private func madeBy(_ run: [String]) -> String {
        var words = [CommandName.words, "emit", scheduler.rawValue] + run.map(ShellWord.quoted)
        words += ["--shards", "\(shards)"]
        if let command { words += ["--command", ShellWord.quoted(command)] }
        if let image { words += ["--image", ShellWord.quoted(image)] }
        return words.joined(separator: " ")
    }

    /// Where the repository is all there is, the scenario has to be in it.
    private func files(_ path: String, _ scenario: Scenario) throws -> [String] {
        guard scheduler.buildsProgram else { return [] }
        let catalog = scenario.store.catalogPath
        let paths = [path, catalog.hasPrefix("/") ? catalog : Paths.folder(of: path) + catalog]
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let inside = paths.map { Paths.relative(URL(fileURLWithPath: $0).standardizedFileURL, from: here) }
        for (named, inside) in zip(paths, inside) where named.hasPrefix("/") || inside.hasPrefix("../") {
            throw CommandProblem(
                "\(named) is not in the repository for \(scheduler.title)",
                hint: "run 'emit' in the repository's root, and name files by relative paths within it")
        }
        try checkText(inside[1])
        return inside
    }

    // MARK: What people are told

    private func tell(_ run: EmittedRun, cells: Int) {
        if let name = run.name { Terminal.write("Wrote \(name). \(start(ShellWord.quoted(name)))\n") }
        if shards > cells {
            Terminal.warn(
                "\(HumanNumbers.quantity(shards - cells, "part")) of \(HumanNumbers.count(shards)) will have nothing to do",
                hint: "a part has whole cells, and the run has \(HumanNumbers.quantity(cells, "cell"))")
        }
        if run.startsTogether, !scheduler.startsTogether {
            Terminal.warn(
                "the scenario runs in real time, and \(scheduler.title) does not see to it that its parts begin together",
                hint: "slurm and mpi do; under the virtual clock it does not matter: --clock virtual")
        }
        if scheduler == .slurm, !run.startsTogether, shards > SlurmScript.usualArrayMax {
            Terminal.warn(
                "Slurm takes \(HumanNumbers.count(SlurmScript.usualArrayMax)) parts unless its MaxArraySize was raised",
                hint: "'scontrol show config | grep MaxArraySize' says it; the last part's number is below it")
        }
    }

    /// The next thing to do.
    private func start(_ file: String) -> String {
        switch scheduler {
        case .slurm, .mpi, .parallel: "Start it: bash \(file)"
        case .kubernetes:
            containerfile ? "Its head says how to build the image." : "Start it: kubectl apply -f \(file)"
        case .github: "It runs for pull requests, and by hand, once it is in the repository."
        case .gitlab: "It runs with the pipeline, once it is in the repository."
        }
    }
}
