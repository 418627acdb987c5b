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
                "\(isOne ? "1 request went" : "\(count) requests went") to servers that the scenario does not know, "
                + "and found nobody there: \(about). In the scenario: `\(ServerWords.stubs(for: remark))`, each with the "
                + "answer that your server gives."
        case .file:
            return
                "\(isOne ? "Once" : "\(count) times") the app wanted to change a file outside its home, which no device "
                + "lets it: \(about). It was refused as not permitted; FileManager's folders and relative paths are each "
                + "device's own."
        case .program:
            return
                "\(isOne ? "Once" : "\(count) times") the app wanted to start another program, which no device lets it: "
                + "\(about). It was refused as not permitted."
        case .connection:
            return "\(isOne ? "1 connection was" : "\(count) connections were") opened past the simulated network: "
                + "\(about). What URLSession and libcurl ask for goes to the servers under `http:` in the scenario."
        case .thread:
            return
                "\(isOne ? "1 thread was" : "\(count) threads were") begun by the app itself\(about.isEmpty ? "" : ", in \(about)"). "
                + "Under the virtual clock threads run beside the simulation: what they do may differ from run to run, and "
                + "no call of theirs is served. Queues, operations and tasks are simulated; `--clock wall` has threads too."
        case .signal:
            return
                "\(isOne ? "Once" : "\(count) times") the app wanted to send a signal to another process, which no device "
                + "lets it: \(about). It was refused as not permitted."
        case .continuation:
            return
                "\(isOne ? "1 continuation was" : "\(count) continuations were") never resumed, with nothing left that "
                + "could do it, and requests of users went unanswered. What waits is \(about). Each way through the callbacks "
                + "has to resume it, once."
        case .endless:
            let what = about.isEmpty ? "" : " The task that comes back again and again sleeps in \(about)."
            return
                "\(isOne ? "1 app was" : "\(count) apps were") still going round at the end: a timer, a block or a task of "
                + "its own came for at least 10 minutes of its time and led to nothing. It was taken to be at rest.\(what)"
        case .goods:
            return
                "\(isOne ? "Once" : "\(count) times") the client's `holdings` threw, and what is held counted as nothing: "
                + "\(about). On a fresh device there is no file and no value yet: answer with no goods there."
        case .missingReceipt:
            return
                "\(isOne ? "Once" : "\(count) times") the app looked for its receipt, and its device had none: a device has one "
                + "after the first purchase, restore or refresh (`SKReceiptRefreshRequest`)."
        case .subclassMethod:
            return
                "\(isOne ? "Once" : "\(count) times") StoreKit did not call an optional method that only a subclass has: "
                + "\(about). On Linux it calls an optional method only if the class that conforms to the protocol has it. "
                + "\(Self.edits(for: remark)) What rests on the method was not judged."
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
