// What an executor says of itself: its name, its keys, and when it lets users begin.
// Plain values; any thread.

/// A way in which the users of a load entry come to their journeys. Each is a file of this folder, named in
/// `LoadExecutors.all`; scenarios, schema, swarms, lists and the engine know it from there.
///
/// A value is one entry's executor with what the entry's keys say.
package protocol LoadExecutor: Sendable {
    /// The name that scenarios use.
    static var name: String { get }
    /// One sentence, for lists and for editors.
    static var summary: String { get }
    /// Its own keys, beside those that every entry has.
    static var keys: [ScenarioKey<Self>] { get }
    /// Whether there is a time from which it begins no more journeys: `schedule.length` then says which.
    static var hasEnd: Bool { get }
    /// Whether its users begin again as soon as a journey has ended, for as long as the time lasts.
    static var repeatsForItsTime: Bool { get }

    /// What an entry without any of its keys says.
    init()

    /// Works out what follows from all its keys together. False with a problem reported.
    mutating func settle(_ entry: EntryNodes) -> Bool

    /// How many users the entry takes, where its keys say so; nil: a part of what the others leave.
    var users: Int? { get set }
    var schedule: LoadSchedule { get }

    /// The same in a population of so many `users` in place of `before`; the users of the entry itself change with it.
    func scaled(to users: Int, from before: Int) -> Self

    /// An entry of this executor, as it is written, so that a population of so few users is enough for it.
    static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline
}

extension LoadExecutor {
    package static var hasEnd: Bool { true }
    package static var repeatsForItsTime: Bool { false }

    package mutating func settle(_ entry: EntryNodes) -> Bool { true }

    package func scaled(to users: Int, from before: Int) -> Self { self }

    /// An entry that names no number takes all users that there are.
    package static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline {
        var entry = entry
        for key in ["users", "max_users"] { entry[key] = nil }
        return entry
    }

    private static var section: KeySection<Self> { KeySection(KeySection.entry.path, Self(), keys) }

    /// What is said of its own keys.
    package static var ownKeys: [KeyFacts] { section.facts.keys }

    /// Its own keys, and those that only executors with an end have.
    static var everyKey: [KeyFacts] { hasEnd ? ownKeys + KeySection.end.facts.keys : ownKeys }

    /// What an entry says to it. Nil with a problem reported.
    static func read(_ entry: EntryNodes) -> Self? {
        guard var executor = entry.reader.fill(section, entry.nodes, entry.path), executor.settle(entry) else {
            return nil
        }
        return executor
    }
}
