// A client that writes down what it is asked, and when, and answers as it is told to.
// Confined to the device's main queue; the notebook is shared and has a lock.

import ClientKit
import Foundation
import Simulation

/// What the clients of one run wrote down. Tests find theirs by its number, which travels in the client's options.
final class Notebook: @unchecked Sendable {  // Guard: `lock`.
    struct Line: Equatable {
        let user: Int
        let at: Instant
        let text: String
    }

    private static let shelfLock = NSLock()
    nonisolated(unsafe) private static var shelf: [String: Notebook] = [:]  // Guard: `shelfLock`.

    private let lock = NSLock()
    private var written: [Line] = []
    private var clientsAlive = 0
    private var seenDevices: [WeakDevice] = []
    private var launches = 0
    let number: String
    /// Called at every launch with how many there were.
    var onLaunch: (@Sendable (Int) -> Void)?

    private struct WeakDevice { weak var device: Device? }

    init() {
        number = UUID().uuidString
        Self.shelfLock.withLock { Self.shelf[number] = self }
    }

    static func numbered(_ number: String?) -> Notebook? { shelfLock.withLock { shelf[number ?? ""] } }

    var options: [String: String] { ["notebook": number] }
    var lines: [Line] { lock.withLock { written } }

    /// The lines of one user, each with its time in milliseconds.
    func story(of user: Int = 0) -> [String] {
        lines.filter { $0.user == user }.map { "\($0.at.nanoseconds / 1_000_000) \($0.text)" }
    }

    func starts(of text: String) -> [Instant] { lines.filter { $0.text == text }.map(\.at) }

    func write(_ line: Line) { lock.withLock { written.append(line) } }

    func launched(_ device: Device) {
        let count = lock.withLock {
            launches += 1
            if !seenDevices.contains(where: { $0.device === device }) { seenDevices.append(WeakDevice(device: device)) }
            return launches
        }
        onLaunch?(count)
    }

    func born() { lock.withLock { clientsAlive += 1 } }
    func died() { lock.withLock { clientsAlive -= 1 } }
    var aliveClients: Int { lock.withLock { clientsAlive } }
    var aliveDevices: Int { lock.withLock { seenDevices.count { $0.device != nil } } }
    var devices: Int { lock.withLock { seenDevices.count } }
}

/// Answers a second after it is asked; with `answers: at_once` at once, with `never` not at all.
final class RecordingClient: StoreClient {
    static let name = "recording"
    static let summary = "Writes everything down."
    static let options = [
        ClientOption(name: "notebook", values: [""], meaning: "The number of the notebook."),
        ClientOption(name: "answers", values: ["later", "at_once", "never"], meaning: "When it answers."),
    ]

    private let environment: AppEnvironment
    private let notebook: Notebook?

    init(environment: AppEnvironment) {
        self.environment = environment
        notebook = Notebook.numbered(environment.options["notebook"])
        notebook?.born()
    }

    deinit { notebook?.died() }

    private func note(_ text: String) {
        guard let device = CurrentProcess.found?.device else { return }
        notebook?.write(Notebook.Line(user: device.user, at: device.lane.now, text: text))
    }

    private func answer(_ body: @escaping () -> Void) {
        switch environment.options["answers"] {
        case "at_once": body()
        case "never": break
        default: environment.main.asyncAfter(seconds: 1, body)
        }
    }

    func launch() {
        note("launch")
        if let device = CurrentProcess.found?.device { notebook?.launched(device) }
    }

    func willTerminate() { note("terminate") }
    func didEnterBackground() { note("background") }
    func willEnterForeground() { note("foreground") }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        note("fetch " + (identifiers.map { $0.map(Self.short).joined(separator: "+") } ?? "all"))
        answer { completion(.fetched(identifiers ?? [])) }
    }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        note("buy \(quantity) \(Self.short(identifier))")
        answer { [environment] in
            environment.write([(identifier, .integer(environment.durableInteger(identifier) + quantity))])
            completion(.purchased)
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        note("restore")
        answer { completion(.restored(count: 0)) }
    }

    func use(_ identifier: String) {
        note("use \(Self.short(identifier))")
        environment.write([(identifier, .integer(environment.durableInteger(identifier) - 1))])
    }

    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }

    private static func short(_ identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }
}
