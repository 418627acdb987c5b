// A violation with all that is needed to tell it.
// Values; any thread.

/// Facts; the words are made of them last.
package struct Evidence: Sendable {
    package let violation: Violation
    package let story: UserStory

    package init(_ violation: Violation, _ story: UserStory) {
        self.violation = violation
        self.story = story
    }
}
