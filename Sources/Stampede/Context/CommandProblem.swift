// Why a command ends without doing its work.
// Main thread.

import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import RunStore
import Text

struct CommandProblem: Error {
    let status: ExitStatus
    let text: String
    var hint: String?
    /// What stands on a line below all else.
    var footer: String?
    /// The text has its place, its snippet and its hints already.
    private var isRendered = false
    /// Problems that were found beside this one.
    fileprivate var others: [CommandProblem] = []

    init(_ text: String, hint: String? = nil, status: ExitStatus = .invalidInput) {
        (self.status, self.text, self.hint) = (status, text, hint)
    }

    /// The client has ended a worker process.
    ///
    /// - Parameter isReported: whether there is a report of what was finished before.
    init(_ death: WorkerDeath, isReported: Bool) {
        let place = death.placeWords.map { " in \($0)" } ?? ""
        let rest = isReported ? "the finished part is reported" : "nothing was judged"
        switch death.cause {
        case .call(let name):
            self.init(
                "the client ended the process (\(name)) before the run was over\(place)\(death.lastWords)",
                hint: "\(rest); AppEnvironment.assertionFailed() ends only the simulated app",
                status: .clientCrashed)
        default:
            let hint =
                switch death.blame {
                case .client: "--workers-in-process --workers 1 runs it under a debugger"
                case .harness: "this is a fault of Stampede. \(HarnessFaultWords.appeal)"
                case .nobody: "the work under way there is unknown"
                }
            self.init(
                "\(WorkerDeath.subject(death.blame)) was ended by \(death.words)\(place)\(death.lastWords)",
                hint: "\(rest); \(hint)", status: death.blame.status)
        }
    }

    /// What is wrong with a file that was given.
    init(_ problems: Problems) {
        self.init(problems.description)
        isRendered = true
    }

    /// What is wrong with a file of JSON.
    ///
    /// - Parameters:
    ///   - cutHint: for a file that is no JSON at all.
    ///   - key: how the file spells a key.
    init(
        _ error: DecodingError, in data: Data, of file: String, cutHint: String, hint: String,
        key: (any CodingKey) -> String
    ) {
        do throws(Problem) {
            self.init(Problems(try JSONDocument(data, file: file, hint: cutHint).problem(error, hint: hint, key: key)))
        } catch {
            self.init(Problems(error))
        }
    }

    /// The problem that another error tells of; nil for an error that is not ours.
    init?(telling error: any Error) {
        switch error {
        case let problem as CommandProblem: self = problem
        case let problems as Problems: self.init(problems)
        case let error as FileError: self.init(error.description, status: .reportNotWritten)
        case let error as MergeError: self.init(error.description, hint: error.hint)
        case let errors as PartErrors:
            var problems = CommandProblems()
            for error in errors.all { problems.add(CommandProblem(error.description, hint: error.hint)) }
            guard let all = problems.all else { return nil }
            self = all
        case let death as WorkerDeath: self.init(death, isReported: false)
        case let error as RunStoreError: self.init(error.description, hint: error.hint)
        default: return nil
        }
    }

    /// As it stands on the standard error, without those beside it.
    var rendered: String {
        let style = TerminalStyle.detected(descriptor: STDERR_FILENO)
        return (isRendered ? text : style.error(text, hint: hint)) + "\n" + (footer.map { $0 + "\n" } ?? "")
    }

    func print() {
        Terminal.write(rendered, toErrors: true)
        for other in others { other.print() }
    }
}

/// Collects problems, so that all of them are told at once.
struct CommandProblems {
    private var found: [CommandProblem] = []

    mutating func add(_ problem: CommandProblem) { found.append(problem) }

    /// What `work` returns; nil where it has a problem, which is kept.
    @discardableResult
    mutating func noting<Value>(_ work: () throws -> Value) throws -> Value? {
        do {
            return try work()
        } catch {
            guard let problem = CommandProblem(telling: error) else { throw error }
            found.append(problem)
            return nil
        }
    }

    /// The first of them, with the others after it; nil where there is none.
    var all: CommandProblem? {
        guard var first = found.first else { return nil }
        first.others += found.dropFirst()
        return first
    }
}
