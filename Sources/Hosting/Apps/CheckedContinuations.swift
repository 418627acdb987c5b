// Checked continuations of client code, as the standard library makes them. Where the compiler does not put its code into the
// client's, it begins to wait within the library, unseen; what the client calls is exchanged for these (`runtime-continuations.c`).

@_silgen_name("stampede_checked_continuation")
func checkedContinuation<Value>(
    isolation: isolated (any Actor)?, function: String, _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> sending Value {
    await withUnsafeContinuation { body(CheckedContinuation(continuation: $0, function: function)) }
}

@_silgen_name("stampede_checked_throwing_continuation")
func checkedThrowingContinuation<Value>(
    isolation: isolated (any Actor)?, function: String, _ body: (CheckedContinuation<Value, any Error>) -> Void
) async throws -> sending Value {
    try await withUnsafeThrowingContinuation { body(CheckedContinuation(continuation: $0, function: function)) }
}
