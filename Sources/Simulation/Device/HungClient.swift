// Client code that waits for what nobody is left to do.
// A value; any thread.

/// A call on the main queue of a device under the virtual clock, which nothing that is under way can bring back.
package struct HungClient: Sendable {
    package let lost: LostCall
    package let wait: ClientWait
    /// For how long it has waited so far, on the device.
    package let waited: Span
}
