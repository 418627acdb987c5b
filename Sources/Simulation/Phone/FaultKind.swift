// The kinds of faults that are counted. Tags, keys of messages, mishaps of sweeps and words follow from their rows.
// A table of constants; any thread.

/// A kind of fault, in the order in which lists name them.
package enum FaultKind: UInt8, Sendable, CaseIterable {
    case crash
    case lostRequest
    case lostAnswer
    case reset
    case offline

    /// The table.
    package var row: Row {
        switch self {
        case .crash:
            Row(
                tag: "crash", key: "faults.crash",
                trial: Trial(
                    .effect, "crash", means: "a crash just before #", sentence: "a crash before effect #"))
        case .lostRequest:
            Row(
                tag: "lost_request", key: "network.lose_request",
                trial: Trial(.message, "request", means: "# lost", sentence: "message # is lost"),
                wire: Wire(
                    meaning: "Share of requests that never arrive.", way: .there, words: "lost on the way"))
        case .lostAnswer:
            Row(
                tag: "lost_answer", key: "network.lose_answer",
                trial: Trial(
                    .message, "answer", means: "the answer to # lost",
                    sentence: "the answer to message # is lost"),
                wire: Wire(
                    meaning: "Share of answers that never come back although the request took effect.",
                    way: .back, words: "the answer is lost on the way"))
        case .reset:
            Row(
                tag: "reset", key: "network.reset",
                trial: Trial(
                    .message, "reset", means: "the connection reset after #",
                    sentence: "the connection is reset after message #"),
                wire: Wire(
                    meaning: "Share of answers that a connection reset replaces with an immediate error.", way: .back,
                    words: "the connection is reset before the answer comes", failure: .connectionLost))
        case .offline: Row(tag: "offline", key: "network.offline")
        }
    }

    package struct Row: Sendable {
        /// In `faults{kind:…}`.
        package let tag: String
        /// By which a scenario makes it happen.
        package let key: String
        /// Nil: sweeps place none.
        package var trial: Trial?
        /// Nil: it is not about a message.
        package var wire: Wire?
    }

    /// Where a fault can be placed.
    package enum Place: String, Sendable {
        case effect
        case message
    }

    /// How sweeps place it.
    package struct Trial: Sendable {
        package let place: Place
        /// In a trial's text, before the number of the place: `answer:3`.
        package let word: String
        /// `the answer to # lost`: what is done to a place, which `#` stands for.
        private let means: String
        /// `the answer to message # is lost`: the same of one place, by its number.
        private let sentence: String

        fileprivate init(_ place: Place, _ word: String, means: String, sentence: String) {
            (self.place, self.word, self.means, self.sentence) = (place, word, means, sentence)
        }

        /// What is done to a place of that name.
        package func means(for place: String) -> String { means.replacing("#", with: place) }

        /// What is done to the place of that number.
        package func sentence(number: Int) -> String { sentence.replacing("#", with: "\(number)") }
    }

    /// How a message fails between a device and a server.
    package struct Wire: Sendable {
        package enum Way: Sendable {
            case there
            /// The server did what the message asked for.
            case back
        }

        /// What the key is for.
        package let meaning: String
        package let way: Way
        /// In a timeline, before what the message was about.
        package let words: String
        /// What the device hears in place of the answer; nil: nothing, and it waits until its timeout.
        var failure: WebFailure?
    }
}

extension FaultKind {
    /// As `allCases`, and made once: it is read for each device.
    package static let all = allCases
    /// Those that happen to messages.
    package static let ofWire = all.filter { $0.row.wire != nil }

    /// Those that sweeps place, with how.
    package static let trials = all.compactMap(\.row.trial)

    /// Those that sweeps place there.
    package static func placed(at place: Place) -> [FaultKind] { place == .effect ? ofEffects : ofMessages }

    private static let ofEffects = all.filter { $0.row.trial?.place == .effect }
    private static let ofMessages = all.filter { $0.row.trial?.place == .message }

    /// Of a fault that happens to messages.
    package var wire: Wire {
        guard let wire = row.wire else { preconditionFailure("\(self) happens to no message") }
        return wire
    }

    /// The last part of its key: what the key is called in its section.
    package var keyName: String { row.key.split(separator: ".").last.map(String.init) ?? row.key }
}

/// A value for each kind of fault, in place: devices have such.
struct PerFault<Value: Sendable & Equatable>: Sendable, Equatable {
    private var values: InlineArray<5, Value>

    init(_ value: Value) { values = InlineArray(repeating: value) }

    subscript(kind: FaultKind) -> Value {
        get { values[Int(kind.rawValue)] }
        set { values[Int(kind.rawValue)] = newValue }
    }

    static func == (left: PerFault, right: PerFault) -> Bool {
        FaultKind.all.allSatisfy { left[$0] == right[$0] }
    }
}
