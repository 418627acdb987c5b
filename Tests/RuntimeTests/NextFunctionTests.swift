// The system's functions behind ours.

import CRuntime
import Simulation
import Testing

@Suite(.enabled(if: AppRuntime.isInForce)) struct NextFunctionTests {
    // One that the allocator calls, looked up while the C library frees the message of a failed look-up, has it freed twice.
    @Test func allocatorFunctionsAreResolvedBeforeMain() {
        #expect(stampede_next_pending() == 0)
    }

    @Test func supportedSwiftLibrariesLackNoSymbol() {
        #expect(SwiftLibraries.current == SwiftLibraries(isTried: true, missing: []))
        #expect(SwiftLibraries.symbolCount > 40)
    }
}
