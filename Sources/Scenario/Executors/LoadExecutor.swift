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
    static var keys: [DeclaredExecutorKey] { get }
    /// Whether there is a time from which it begins no more journeys: `schedule.length` then says which.
    static var hasEnd: Bool { get }
    /// Whether its users begin again as soon as a journey has ended, for as long as the time lasts.
    static var repeatsForItsTime: Bool { get }

    /// Reads its keys. Nil with a problem reported.
    init?(_ fields: ExecutorFields)

    /// How many users the entry takes, where that follows from the executor's own keys.
    var users: Int? { get }
    var schedule: LoadSchedule { get }

    /// The same in a population of so many `users` in place of `before`; the users of the entry itself change with it.
    func scaled(to users: Int, from before: Int) -> Self

    /// An entry of this executor, as it is written, so that a population of so few users is enough for it.
    static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline
}

extension LoadExecutor {
    package static var hasEnd: Bool { true }
    package static var repeatsForItsTime: Bool { false }
    package var users: Int? { nil }

    package func scaled(to users: Int, from before: Int) -> Self { self }

    /// Without a number of users an entry takes whoever there is.
    package static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline {
        var entry = entry
        for key in ExecutorKey.userCounts { entry[key.name] = nil }
        return entry
    }

    /// Its own keys, and those that only executors with an end have.
    static var everyKey: [DeclaredExecutorKey] { hasEnd ? keys + [ExecutorKey.gracefulStop.declared] : keys }
}
