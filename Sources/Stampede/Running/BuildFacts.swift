// Which commit is tested, as far as git or the CI says.
// Blocks the calling thread for as long as git takes, a few seconds at most.

import Foundation

struct BuildFacts {
    /// Nil when neither git nor the environment knows one.
    let commit: String?
    /// Whether tracked files differ from the commit; nil when git cannot tell.
    let isDirty: Bool?

    /// Where CI says which commit it checked out.
    private static let variables = ["GITHUB_SHA", "CI_COMMIT_SHA"]
    private static let secondsMax = 5.0

    /// Of the working directory.
    static func detect(environment: [String: String] = ProcessInfo.processInfo.environment) -> BuildFacts {
        if let commit = git("rev-parse", "--verify", "--quiet", "HEAD"), isCommit(commit) {
            // What is not tracked is not part of the build, as a rule: reports, for one.
            let changes = git("status", "--porcelain", "--untracked-files=no")
            return BuildFacts(commit: commit, isDirty: changes.map { !$0.isEmpty })
        }
        let named = variables.lazy.compactMap { environment[$0] }.first(where: isCommit)
        return BuildFacts(commit: named, isDirty: nil)
    }

    private static func isCommit(_ text: String) -> Bool {
        (7...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// What git prints, without the line break at its end; nil when there is no git, or it fails or takes too long.
    private static func git(_ arguments: String...) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        // Looking must not change anything, not even the index.
        process.environment = ProcessInfo.processInfo.environment.merging(["GIT_OPTIONAL_LOCKS": "0"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        guard (try? process.run()) != nil else { return nil }
        // A thread of its own: a long answer would fill the pipe and never end.
        let reader = Output()
        Thread { reader.read(output.fileHandleForReading) }.start()
        guard ended.wait(timeout: .now() + secondsMax) == .success, let data = reader.wait(seconds: secondsMax) else {
            kill(process.processIdentifier, SIGKILL)
            return nil
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// What a pipe brings until its end.
    private final class Output: @unchecked Sendable {  // Guard: `done`, signalled after the only write.
        private var data = Data()
        private let done = DispatchSemaphore(value: 0)

        func read(_ handle: FileHandle) {
            data = (try? handle.readToEnd()) ?? Data()
            done.signal()
        }

        func wait(seconds: Double) -> Data? { done.wait(timeout: .now() + seconds) == .success ? data : nil }
    }
}
