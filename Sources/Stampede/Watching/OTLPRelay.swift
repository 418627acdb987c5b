// Hands metrics to a process that sends them: what speaks HTTP has threads, and a run's process may have one alone.
// One thread at a time.

import CWorkers
import Foundation
import Simulation

/// A pipe to `stampede relay-otlp`. Nothing here waits for it while the run goes on.
final class OTLPRelay {
    private let endpoint: OTLPEndpoint
    private let process: pid_t
    /// Below 0: closed, or nobody reads it any more.
    private var input: Int32
    private let output: Int32
    /// The rest of a line of which the process has a part.
    private var begun: ArraySlice<UInt8> = []
    /// The line after it. A newer one takes its place.
    private var waiting: Data?

    /// How long the process may take to an end, in milliseconds, after which it is killed.
    private static let patience: Int32 = 10_000

    /// - Throws: where there can be no process.
    init(to endpoint: OTLPEndpoint) throws(CommandProblem) {
        self.endpoint = endpoint
        // Not by Foundation's `Process`, which makes a thread.
        let words = [Paths.program.path, RelayCommand.name, endpoint.url]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var (input, output): (Int32, Int32) = (-1, -1)
        process = stampede_start_helper("/proc/self/exe", &arguments, &input, &output)
        let code = errno
        (self.input, self.output) = (input, output)
        if process < 0 {
            throw CommandProblem(
                "--otlp: the process that sends the metrics could not be started: \(String(cString: strerror(code)))",
                hint: "close other programs, or leave --otlp out")
        }
    }

    /// Has it sent, unless a newer body comes first. Does not wait.
    func offer(_ body: Data) {
        waiting = body
        pump()
    }

    /// Has the last body sent, and the process ended.
    ///
    /// - Returns: what did not come of it.
    func finish(_ body: Data) -> RelayProblem? {
        let deadline = Deadline(milliseconds: Self.patience)
        waiting = body
        pump()
        while input >= 0, !begun.isEmpty || waiting != nil, deadline.left > 0 {
            var room = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
            _ = poll(&room, 1, deadline.left)
            pump()
        }
        closeInput()
        let words = read(until: deadline)
        close(output)
        end(by: deadline)
        guard let outcome = try? JSONDecoder().decode(RelayOutcome.self, from: words) else {
            return .silent(endpoint)
        }
        return RelayProblem(outcome, endpoint)
    }

    /// Writes what there is room for.
    private func pump() {
        while input >= 0 {
            if begun.isEmpty {
                guard let next = waiting else { return }
                waiting = nil
                begun = ArraySlice(next) + [UInt8(ascii: "\n")]
            }
            let written = begun.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            let code = errno
            switch (written, code) {
            case (0..., _): begun = begun.dropFirst(written)
            case (_, EINTR): continue
            case (_, EAGAIN): return
            // Nobody reads it any more. What the process says at its end tells why.
            default: closeInput()
            }
        }
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    private func read(until deadline: Deadline) -> Data {
        var words = Data()
        var piece = [UInt8](repeating: 0, count: 4_096)
        while deadline.left > 0 {
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, deadline.left) > 0 else { continue }
            let count = Foundation.read(output, &piece, piece.count)
            if count == 0 || count < 0 && errno != EINTR { break }
            if count > 0 { words += piece[..<count] }
        }
        return words
    }

    /// It has said its last word, or the time is over.
    private func end(by deadline: Deadline) {
        var status: Int32 = 0
        while deadline.left > 0 {
            if waitpid(process, &status, WNOHANG) != 0 { return }
            poll(nil, 0, 5)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}

/// A moment until which something is waited for.
private struct Deadline {
    private let end: Int64

    init(milliseconds: Int32) { end = HostClock.nanoseconds + Int64(milliseconds) * 1_000_000 }

    /// In milliseconds; 0 when it is over.
    var left: Int32 { Int32(max(0, (end - HostClock.nanoseconds + 999_999) / 1_000_000)) }
}
