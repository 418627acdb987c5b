// The executor at-once.
// Plain values; any thread.

/// Every user begins the journey once, all in the same instant.
package struct AtOnce: LoadExecutor {
    package static let name = "at-once"
    package static let summary = "Every user begins the journey once, all in the same instant."
    package static let keys = [ExecutorKey.users.declared]
    package static let hasEnd = false

    package init?(_ fields: ExecutorFields) {}

    package var schedule: LoadSchedule { .repeating(times: 1, within: nil) }
}
