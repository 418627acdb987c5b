// What a report says of client code beside the verdict.
// Pure; any thread.

import Simulation
import Statics

struct RemarkWords {
    /// Of the code that remarks name.
    let places: [UInt: CodePlace]

    /// What was noticed, how often, where, and what to do about it.
    func sentence(_ remark: ClientRemarks.Remark) -> String {
        let about = subjects(of: remark)
        let isOne = remark.count == 1
        let count = HumanNumbers.count(remark.count)
        switch remark.kind {
        case .server:
            return
                "\(isOne ? "1 request went" : "\(count) requests went") to servers that the scenario does not describe, "
                + "and got no answer: \(about). Add to the scenario: `\(ServerWords.stubs(for: remark))`, each with your "
                + "server's answer."
        case .file:
            return
                "\(isOne ? "Once" : "\(count) times") the app tried to change a file outside its home, which devices do not "
                + "allow: \(about). The call failed as not permitted. Each device has its own FileManager folders and "
                + "relative paths."
        case .program:
            return
                "\(isOne ? "Once" : "\(count) times") the app tried to start another program, which devices do not allow: "
                + "\(about). The call failed as not permitted."
        case .connection:
            return "The app opened \(isOne ? "1 connection" : "\(count) connections") past the simulated network: "
                + "\(about). Requests of URLSession and libcurl go to the servers under `http:` in the scenario."
        case .thread:
            return
                "The app itself started \(isOne ? "1 thread" : "\(count) threads")\(about.isEmpty ? "" : ", in \(about)"). "
                + "Under the virtual clock such threads run outside the simulation: they may behave differently in every run, "
                + "and StoreKit does not serve their calls. Queues, operations and tasks are simulated; `--clock wall` also "
                + "supports threads."
        case .signal:
            return
                "\(isOne ? "Once" : "\(count) times") the app tried to send a signal to another process, which devices do "
                + "not allow: \(about). The call failed as not permitted."
        case .continuation:
            return
                "\(isOne ? "1 continuation was" : "\(count) continuations were") never resumed, no code was left to "
                + "resume \(isOne ? "it" : "them"), and users' requests stayed unanswered. The waiting code is \(about). Every "
                + "path through the callbacks has to resume the continuation exactly once."
        case .endless:
            let what = about.isEmpty ? "" : " The task that repeats sleeps in \(about)."
            return
                "\(isOne ? "1 app" : "\(count) apps") still repeated a timer, a block or a task at the end, for at least 10 "
                + "minutes of the app's time and without effect. The run treated such an app as idle.\(what)"
        case .goods:
            return
                "\(isOne ? "Once" : "\(count) times") the client's `holdings` threw an error, and the run counted no goods: "
                + "\(about). On a fresh device there is no file and no value yet: return no goods then."
        case .missingReceipt:
            return
                "\(isOne ? "Once" : "\(count) times") the app looked for its receipt, but its device had none: a device has a "
                + "receipt after the first purchase, restore or refresh (`SKReceiptRefreshRequest`)."
        case .storeKit2Use: return "The app uses these parts of StoreKit 2: \(about)"
        case .signedData: return "The app sends what StoreKit signed to \(about)"
        case .subclassMethod:
            return
                "\(isOne ? "Once" : "\(count) times") StoreKit did not call an optional method that only a subclass has: "
                + "\(about). On Linux StoreKit calls an optional method only if the class that conforms to the protocol has it. "
                + "\(Self.edits(for: remark)) The method's effects were not judged."
        }
    }

    /// What to write so that StoreKit calls the methods: `Implement it in Base, and declare it override in Sub.`
    static func edits(for remark: ClientRemarks.Remark) -> String {
        let owners = Set(remark.subjects.map(\.conforming)).sorted().map { "`\($0)`" }
        let it = remark.subjects.count == 1 ? "it" : "each"
        return "Implement \(it) in \(HumanNumbers.list(owners)), and write `override` in the subclass."
    }

    private func subjects(of remark: ClientRemarks.Remark) -> String {
        let texts = Set(remark.subjects.compactMap { text(of: $0) }).sorted()
        return texts.joined(separator: texts.contains { $0.contains(", ") } ? "; " : ", ")
    }

    /// `/tmp/goods, in Shop.save() (Sources/Shop.swift:12)`.
    private func text(of subject: ClientRemarks.Subject) -> String? {
        if let declaration = subject.declaration {
            return "`\(subject.name)` (\(declaration.file):\(declaration.line))"
        }
        if !subject.conforming.isEmpty { return "`\(subject.name)`" }
        let place = places[subject.place]?.words
        guard !subject.name.isEmpty else { return place }
        return place.map { "\(subject.name), in \($0)" } ?? subject.name
    }
}
