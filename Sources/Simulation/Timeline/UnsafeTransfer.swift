// What is handed over from one lane or queue to another, and is no `Sendable`.
// Guard: the sender does not touch it any more.

/// Carries a value that the compiler would not let cross: as Dispatch does.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    package let value: Value

    // Inlinable, since a generic function is not specialised in other modules.
    @inlinable package init(_ value: Value) { self.value = value }
}
