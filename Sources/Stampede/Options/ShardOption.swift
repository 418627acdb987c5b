// Which part of the work this process does, as the command line or a scheduler says it.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import Reporting

struct ShardOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run one of several equal parts, e.g. 3/16. 'stampede merge' of all parts gives the undivided result. With auto \
            the part's number comes from the scheduler (Slurm, Open MPI, PMI, Kubernetes, AWS Batch, GitLab).
            """, valueName: "part/parts"))
    var shard: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many parts, if --shard auto finds the part's number but not the total.", valueName: "parts"))
    var of: Int?

    mutating func validate() throws {
        if of != nil, shard != Self.auto { throw ValidationError("`--of` can only be used with `--shard auto`") }
    }

    private static let auto = "auto"

    /// Nil: all of it. What a scheduler has said is told on the standard error.
    func part(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Shard? {
        guard let shard else { return nil }
        if shard == Self.auto {
            let found = try ShardEnvironment(environment).part(of: of)
            Terminal.write("part \(found.shard.text), from \(found.variable)\n", toErrors: true)
            return found.shard
        }
        let numbers = shard.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
            let part = Shard(index: index, of: count)
        else {
            throw CommandProblem(
                "--shard \(shard) is not a part",
                hint: "write a part like 3/16, from 1/16 to 16/16, with \(Shard.countMax) parts at most; or auto")
        }
        return part
    }
}

/// What schedulers tell a process of its number among others.
struct ShardEnvironment {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// How a scheduler tells it.
    private struct Source {
        let number: String
        let count: String?
        /// The number of the first part; a variable that says it, where there is one.
        let first: Int
        var firstVariable: String?
        var stepVariable: String?
    }

    /// In this order: an array task may have started ranks of its own.
    private static let sources = [
        Source(
            number: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: 0,
            firstVariable: "SLURM_ARRAY_TASK_MIN", stepVariable: "SLURM_ARRAY_TASK_STEP"),
        Source(number: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE", first: 0),
        Source(number: "PMI_RANK", count: "PMI_SIZE", first: 0),
        Source(number: "SLURM_PROCID", count: "SLURM_NTASKS", first: 0),
        Source(number: "JOB_COMPLETION_INDEX", count: nil, first: 0),
        Source(number: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", first: 0),
        Source(number: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    ]

    /// - Parameter asked: how many parts there are, if the command line says so.
    func part(of asked: Int?) throws -> (shard: Shard, variable: String) {
        guard let source = Self.sources.first(where: { environment[$0.number] != nil }) else {
            throw CommandProblem(
                "--shard auto: no scheduler has numbered this process",
                hint: "it reads \(Self.sources.map(\.number).joined(separator: ", ")); or write --shard 3/16")
        }
        let number = try value(source.number)
        let told = try source.count.flatMap { environment[$0] == nil ? nil : try value($0) }
        if let asked, let told, asked != told {
            throw CommandProblem(
                "--of is \(asked), but \(source.count ?? "") is \(told)",
                hint: "leave --of out, or start \(asked) parts")
        }
        guard let count = asked ?? told else {
            throw CommandProblem(
                "--shard auto: \(source.number) is \(number), but the number of parts is unknown",
                hint: "give the number of parts with --of")
        }
        let first = try source.firstVariable.flatMap { environment[$0] == nil ? nil : try value($0) } ?? source.first
        let step = try source.stepVariable.flatMap { environment[$0] == nil ? nil : try value($0) } ?? 1
        guard step > 0, (number - first) % step == 0, let shard = Shard(index: (number - first) / step + 1, of: count)
        else {
            throw CommandProblem(
                "--shard auto: \(source.number) is \(number), which is not one of \(count) parts",
                hint: "the parts are numbered from \(first)")
        }
        return (shard, source.number)
    }

    private func value(_ variable: String) throws -> Int {
        let text = environment[variable] ?? ""
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
            throw CommandProblem("--shard auto: \(variable) is '\(text)', which is not a number")
        }
        return number
    }
}
