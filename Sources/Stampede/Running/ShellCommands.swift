// Command lines of the shell, one after the other, that can be ended with all they have started.
// `run` on one thread; `stop` on any.

import Foundation
import Reporting

final class ShellCommands: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    /// The shell that runs, and the group of everything that it starts.
    private var current: pid_t?
    private var hasStopped = false

    /// How long processes that were asked to end may take: `stampede run` judges what it has.
    private static let graceMilliseconds = 5_000
    private static let pauseMilliseconds = 10

    var isStopped: Bool { lock.withLock { hasStopped } }

    /// Asks what runs to end. Nothing is started any more.
    func stop() {
        lock.withLock {
            hasStopped = true
            if let current { kill(-current, SIGTERM) }
        }
    }

    /// Runs a command line to its end.
    ///
    /// - Returns: what it ended with, as shells count: 128 and the signal's number for one that a signal has ended.
    func run(_ text: String) throws(CommandProblem) -> Int32 {
        guard let started = try begin(text) else { return 128 + SIGTERM }
        var ended = siginfo_t()
        // Not collected yet: until then no other process gets its number, and `stop` may use it.
        while waitid(P_PID, id_t(started), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        lock.withLock {
            while waitpid(started, &status, 0) < 0, errno == EINTR {}
            current = nil
        }
        if isStopped { Self.awaitEnd(of: started) }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Nil after a stop.
    private func begin(_ text: String) throws(CommandProblem) -> pid_t? {
        lock.lock()
        defer { lock.unlock() }
        if !hasStopped { current = try Self.start(text) }
        return current
    }

    /// With a group of its own, so that one signal reaches all of it, and with signals as others have them: ours are
    /// blocked, or ignored.
    private static func start(_ text: String) throws(CommandProblem) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        var pipeSignal = none
        sigaddset(&pipeSignal, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        let arguments = strings(["sh", "-c", text])
        let environment = strings(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        defer { for string in arguments + environment { free(string) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", nil, &attributes, arguments, environment)
        if code != 0 {
            throw CommandProblem(
                "'\(text)' could not be started: \(String(cString: strerror(code)))",
                hint: "it is a command line for /bin/sh")
        }
        return process
    }

    /// As C has lists of them, nil at the end.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Until no process of the group is left to write anything.
    private static func awaitEnd(of group: pid_t) {
        for _ in 0..<graceMilliseconds / pauseMilliseconds {
            if kill(-group, 0) != 0 { return }
            poll(nil, 0, Int32(pauseMilliseconds))
        }
        kill(-group, SIGKILL)
    }
}
