// The executor at-once.
// Plain values; any thread.

/// Every user begins the journey once, all in the same instant.
package struct AtOnce: LoadExecutor {
    package static let name = "at-once"
    package static let summary = "All users start the journey once, in the same instant."
    package static let keys: [ScenarioKey<AtOnce>] = [.users]
    package static let hasEnd = false

    package var users: Int?

    package init() {}

    package var schedule: LoadSchedule { .repeating(times: 1, within: nil) }
}
