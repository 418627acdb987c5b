// What people type to have a command run.

package enum CommandName {
    /// The program's name, in commands that reports give to be pasted.
    // Guard: the main thread, before any command is parsed.
    nonisolated(unsafe) package static var words = "stampede"
}
