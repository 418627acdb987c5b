// What a run has to tell of client code beside its verdicts, while a harness runs in this process.
// Any thread.

internal import CRuntime
internal import Foundation
internal import Statics

package enum ClientRemarks {
    /// The first raw values are the values of `stampede_outside`. Workers send all raw values.
    package enum Kind: Int, Sendable, CaseIterable {
        /// A request to a server that the scenario does not know. It fails as if there were none.
        case server
        /// A file outside the app's home was to be written, made or removed.
        case file
        /// Another program was to be started.
        case program
        /// A connection was opened past the simulated network.
        case connection
        /// A thread of the app's own was begun under the virtual clock, which does not simulate it.
        case thread
        /// A signal was to be sent to another process.
        case signal
        /// A continuation of Swift's was never resumed, in an app that owed its user an answer.
        case continuation
        /// An app went round in circles at the end: with a task or a timer that comes again and again.
        case endless
        /// The client could not tell what is held: `holdings` threw.
        case goods
        /// The app looked for its receipt, and the device had none.
        case missingReceipt
        /// StoreKit was to call an optional method that only a subclass of the conforming class has, and called the default.
        case subclassMethod
        /// The app used a part of StoreKit 2; its name is the subject. Counted once a launch.
        case storeKit2Use
        /// What StoreKit signed was sent to a server that the scenario does not know.
        case signedData
    }

    /// What it is about.
    package struct Subject: Sendable, Hashable, Comparable {
        /// An address, a path; empty for what has none.
        package let name: String
        /// Where the client's code is that did it, as an address in this process; 0 if it is not known.
        package let place: UInt
        /// The class that lacks the method, and where a subclass declares it. Empty, and nil, for other kinds.
        package var conforming = ""
        package var declaration: Declaration?

        package struct Declaration: Sendable, Hashable {
            package let file: String
            package let line: Int

            package init(file: String, line: Int) { (self.file, self.line) = (file, line) }
        }

        package init(name: String, place: UInt) {
            self.name = name
            self.place = place
        }

        init(_ missed: SubclassMethod) {
            self.init(name: "\(missed.type).\(missed.name)", place: 0)
            conforming = missed.conforming
            if let file = missed.file, let line = missed.line { declaration = Declaration(file: file, line: line) }
        }

        package static func < (one: Self, other: Self) -> Bool { (one.name, one.place) < (other.name, other.place) }
    }

    package struct Remark: Sendable, Equatable {
        package let kind: Kind
        package var count: Int
        /// A few of them.
        package var subjects: Set<Subject>

        package init(_ kind: Kind, count: Int, subjects: Set<Subject>) {
            self.kind = kind
            self.count = count
            self.subjects = subjects
        }
    }

    package struct Found: Sendable, Equatable {
        private var found = Kind.allCases.map { Remark($0, count: 0, subjects: []) }

        package init() {}

        /// Of several processes.
        package init(_ remarks: [Remark]) {
            for remark in remarks { add(remark) }
        }

        package static let subjectsMax = 5

        /// The first of them by their names are kept: which came first differs with the number of workers.
        package mutating func add(_ remark: Remark) {
            let place = remark.kind.rawValue
            found[place].count += remark.count
            if remark.subjects.isEmpty { return }
            found[place].subjects.formUnion(remark.subjects)
            while found[place].subjects.count > Self.subjectsMax, let last = found[place].subjects.max() {
                found[place].subjects.remove(last)
            }
        }

        /// Those that there were, by kind.
        package var remarks: [Remark] { found.filter { $0.count > 0 } }
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var found = Found()  // Guard: `lock`.

    /// Out of client code, whose locks are its device's, and which may be broken off anywhere.
    static func note(_ kind: Kind, _ subjects: Set<Subject>) {
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        lock.withLock { found.add(Remark(kind, count: 1, subjects: subjects)) }
    }

    /// - Parameter calls: addresses of the code that made the call to note, the innermost first.
    static func note(_ kind: Kind, _ name: String, calls: [UInt] = []) {
        note(kind, [Subject(name: name, place: ClientCode.place(of: calls))])
    }

    /// What came since it was last asked.
    package static func take() -> Found {
        lock.withLock {
            defer { found = Found() }
            return found
        }
    }
}

extension ClientRemarks {
    /// Client code uses something that no device has of its own. On the thread that does.
    static func noteOutsideUse(_ kind: stampede_outside, _ name: UnsafePointer<CChar>?) {
        guard let name, let kind = Kind(rawValue: Int(kind.rawValue)) else { return }
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        note(kind, String(cString: name), calls: ClientCalls.now())
    }
}

extension AppProcess {
    /// Before it ends, with questions of its user that it has not answered: which continuations it waits for that nothing
    /// is going to resume.
    package func remarkUnresumed() {
        guard let app, device.underWayForApp == 0 else { return }
        remark(.continuation, exceptIn: "StoreKit") { stampede_each_continuation(app, $0, $1) }
    }

    /// It came to rest only because what it does leads nowhere.
    package func remarkEndless() {
        let tasks = app.map { app in Self.places { stampede_each_sleeper(app, $0, $1) } } ?? []
        ClientRemarks.note(.endless, Set(tasks.map { ClientRemarks.Subject(name: "", place: $0) }))
    }

    package func remarkMissingServer(_ url: String, isSentSignedData: Bool) {
        ClientRemarks.note(.server, url)
        if isSentSignedData { ClientRemarks.note(.signedData, url) }
    }

    package func remarkUse(of part: StoreKit2Use) {
        ClientRemarks.note(.storeKit2Use, [ClientRemarks.Subject(name: part.rawValue, place: 0)])
    }

    /// What is held counts as nothing.
    package func remarkUnreadableGoods(_ error: any Error) {
        ClientRemarks.note(.goods, error.localizedDescription)
    }

    /// The app looks for its receipt, and there is none.
    package func remarkMissingReceipt() {
        ClientRemarks.note(.missingReceipt, [])
    }

    /// - Parameter module: waits for something itself, which is no doing of the client's.
    private func remark(
        _ kind: ClientRemarks.Kind, exceptIn module: String,
        _ each: (stampede_calls_told?, UnsafeMutableRawPointer?) -> Void
    ) {
        for place in Self.places(exceptIn: module, each) where place != 0 {
            ClientRemarks.note(kind, [ClientRemarks.Subject(name: "", place: place)])
        }
    }

    /// The places in the client's code from which calls come.
    private static func places(
        exceptIn module: String? = nil, _ each: (stampede_calls_told?, UnsafeMutableRawPointer?) -> Void
    ) -> [UInt] {
        let list = CallList()
        each(
            { list, calls, count in
                guard let list else { return }
                let calls = UnsafeBufferPointer(start: calls, count: Int(count)).map { UInt(bitPattern: $0) }
                Unmanaged<CallList>.fromOpaque(list).takeUnretainedValue().calls.append(calls)
            }, Unmanaged.passUnretained(list).toOpaque())
        let calls = list.calls.filter { calls in
            // What the compiler has copied of the standard library stands before the code that it serves.
            module == nil || calls.lazy.compactMap { ClientCode.module(at: $0) }.first { $0 != "Swift" } != module
        }
        return calls.map { ClientCode.place(of: $0) }
    }

    private final class CallList {
        var calls: [[UInt]] = []
    }
}
