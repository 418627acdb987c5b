// A client that does to the process, the machine and the other devices what no app is let to, always at the same place.
// The client runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

final class HostileClient: PlainClient, StoreClient {
    static let name = "hostile"
    static let summary = "Does harm at its second launch, for users who have bought two."
    static let options = [ClientOption(name: "how", values: Harm.allCases.map(\.rawValue), meaning: "By what.")]

    private var hasBought = false

    override func launch() {
        let hadBought = environment.durableInteger("bought") > 0
        super.launch()
        if hadBought, let harm = environment.options["how"].flatMap(Harm.init) { harm.make() }
    }

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        if quantity > 1 { hasBought = true }
        super.purchase(identifier, quantity: quantity, completion: completion)
        if hasBought { environment.write([("bought", .integer(1))]) }
    }
}

private enum Harm: String, CaseIterable {
    case killself, killgroup, killall, killparent, raise, thread, fork, exec, system, closeall, signals, chdir, umask
    case locale, environment, threads, fill, outside, flood, shout

    func make() {
        switch self {
        case .killself: expect(kill(getpid(), SIGKILL) != 0)
        case .killgroup: expect(kill(0, SIGTERM) != 0)
        case .killall: expect(kill(-1, SIGKILL) != 0)
        case .killparent: expect(kill(getppid(), SIGKILL) == -1 && errno == EPERM)
        case .raise: expect(Glibc.raise(SIGALRM) != 0)
        case .thread: expect(pthread_kill(pthread_self(), SIGINT) != 0)
        case .fork:
            let forked = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork")
            typealias Function = @convention(c) () -> pid_t
            expect(unsafeBitCast(forked, to: Function.self)() == -1)
        case .exec:
            var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
            expect(execv("/bin/true", &arguments) == -1)
        case .system:
            let ran = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "system")
            typealias Function = @convention(c) (UnsafePointer<CChar>) -> Int32
            expect(unsafeBitCast(ran, to: Function.self)("touch stampede-outside-test") == -1)
        case .closeall: for descriptor in Array(3..<4096) + [0, 1, 2] { close(Int32(descriptor)) }
        case .signals: takeSignals()
        case .chdir: expect(Glibc.chdir("/") == 0)
        case .umask: Glibc.umask(0o777)
        case .locale: setlocale(LC_ALL, "C.UTF-8")
        case .environment:
            let own = getenv("STAMPEDE_HARM").map { String(cString: $0) }
            expect(own == nil && setenv("STAMPEDE_HARM", "1", 1) == 0 && clearenv() == 0 && getenv("PATH") == nil)
        case .threads: beginThreads()
        case .fill: fillHome()
        case .outside: changeOutside()
        case .flood: for number in 0..<1_000_000 { print("line \(number)") }
        case .shout:
            // Beside the simulation, under the virtual clock.
            Thread { for number in 0..<1_000_000 { print("line \(number)") } }.start()
        }
    }

    /// What does not hold ends the app, and is told so.
    private func expect(_ holds: Bool) { precondition(holds, "\(rawValue) was not met as it should be") }

    private func takeSignals() {
        for number in 1..<65 where number != SIGKILL && number != SIGSTOP { signal(Int32(number)) { _ in } }
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // Its own handler takes it.
        Glibc.raise(SIGSEGV)
    }

    private func beginThreads() {
        var begun = 0
        for _ in 0..<10_000 {
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { _ in
                    Glibc.sleep(1)
                    return nil
                }, nil)
            if failure == 0 { begun += 1 } else { expect(failure == EAGAIN) }
        }
        expect(begun <= 2048)
    }

    private func fillHome() {
        let block = Data(repeating: 7, count: 16 << 20)
        var written = 0
        for number in 0..<128 {
            guard (try? block.write(to: URL(fileURLWithPath: NSTemporaryDirectory() + "/\(number)"))) != nil else {
                break
            }
            written += block.count
        }
        expect(written <= 512 << 20 && written > 400 << 20)
        for number in 0..<128 { unlink(NSTemporaryDirectory() + "/\(number)") }
        expect((try? block.write(to: URL(fileURLWithPath: NSTemporaryDirectory() + "/again"))) != nil)
    }

    private func changeOutside() {
        let path = "/tmp/stampede-outside-test"
        expect(open(path, O_CREAT | O_WRONLY, 0o600) == -1 && errno == EPERM)
        expect(fopen(path, "w") == nil)
        expect((try? Data().write(to: URL(fileURLWithPath: path))) == nil)
        expect(mkdir(path, 0o700) == -1 && unlink("/etc/stampede-outside-test") == -1)
        expect(open("Documents/../../../../../.." + path, O_CREAT | O_WRONLY, 0o600) == -1)
        expect((try? Data().write(to: URL(fileURLWithPath: "Documents/goods"))) != nil)
        expect((try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) != nil)
    }
}
