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
        abstract: "Write a scheduler file that runs a scenario in parts.",
        discussion: """
            For many machines or many cores: the file starts the parts of one run, then merges them into the report of \
            the undivided run. The exit code of the merge is the verdict. The comment at the top of the file says how \
            to start it and where the exit code appears.

              stampede emit slurm quickstart --shards 16 --to job.sh
              bash job.sh

            The file is a bash script for slurm, mpi and parallel, manifests for kubernetes, a workflow for github, \
            and a pipeline for gitlab.
            """)

    @Argument(help: "The scheduler.")
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
            The program's name or path on those machines; for kubernetes, github and gitlab the product to build. \
            Default: this program's name.
            """, valueName: "program"))
    var command: String?

    @Option(help: ArgumentHelp("For kubernetes: the image to run. Default: the program's name.", valueName: "name"))
    var image: String?

    @Flag(help: "For kubernetes: print the Containerfile of the image instead of the manifests.")
    var containerfile = false

    @Option(
        help: ArgumentHelp("The file to write. Default: the standard output.", valueName: "file"), completion: .file())
    var to: String?

    mutating func validate() throws {
        if scheduler != .kubernetes, image != nil || containerfile {
            throw ValidationError("--image and --containerfile can only be used for kubernetes")
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
            hint: "use fewer, larger parts; each part uses all cores of its machine")
    }

    /// The merge names all parts.
    private func checkMerge(_ run: EmittedRun) throws {
        guard run.mergeBytes > EmittedRun.mergeBytesMax else { return }
        let most = shards * EmittedRun.mergeBytesMax / run.mergeBytes
        throw CommandProblem(
            "--shards \(shards): the names of this many parts do not fit on the merge's command line",
            hint: "use fewer, larger parts: \(HumanNumbers.count(most / 1_000 * 1_000)) at most")
    }

    private func programName() throws -> String {
        // In words it may stand between quotes.
        let own = CommandContext.registry.additional.isEmpty ? CommandName.words : Paths.program.lastPathComponent
        let program = command ?? own
        try checkText(program)
        guard !program.isEmpty, !program.hasPrefix("-") else {
            throw CommandProblem("--command '\(program)' is not a program's name")
        }
        let isPlain = program.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
        if scheduler.buildsProgram, !isPlain {
            throw CommandProblem(
                "--command '\(program)' is not a product of a package",
                hint: "\(scheduler.title) builds the program: name the executable product, such as stampede")
        }
        return program
    }

    /// A line of a file ends where a text has the end of a line.
    private func checkText(_ text: String) throws {
        guard text.unicodeScalars.contains(where: \.isUnsafe) else { return }
        throw CommandProblem(
            "\(quoted(text)) has line breaks or invisible characters, which the file cannot contain",
            hint: "use a name without them")
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
                "\(named) is outside the repository, where \(scheduler.title) cannot read it",
                hint: "run 'emit' in the repository's root, and name files by relative paths inside it")
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
                hint: "a part consists of whole cells, and the run has \(HumanNumbers.quantity(cells, "cell"))")
        }
        if run.startsTogether, !scheduler.startsTogether {
            Terminal.warn(
                "the scenario runs in real time, and \(scheduler.title) does not start all its parts at the same time",
                hint: "use slurm or mpi, which do, or the virtual clock, which does not need it: --clock virtual")
        }
        if scheduler == .slurm, !run.startsTogether, shards > SlurmScript.usualArrayMax {
            Terminal.warn(
                "Slurm takes \(HumanNumbers.count(SlurmScript.usualArrayMax)) parts unless its MaxArraySize was raised",
                hint: "see 'scontrol show config | grep MaxArraySize': the last part's number has to be below it")
        }
    }

    /// The next thing to do.
    private func start(_ file: String) -> String {
        switch scheduler {
        case .slurm, .mpi, .parallel: "Start it: bash \(file)"
        case .kubernetes:
            containerfile ? "The comment at its top says how to build the image." : "Start it: kubectl apply -f \(file)"
        case .github: "Once it is in the repository, it runs for pull requests and when started by hand."
        case .gitlab: "Once it is in the repository, it runs with the pipeline."
        }
    }
}
