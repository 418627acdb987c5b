// Tests whose apps begin tasks.

internal import Simulation
package import Testing

extension Trait where Self == ConditionTrait {
    /// The app begins tasks, which stay on its device only where the runtime is in force: in no sanitizer's build.
    package static var beginsTasks: Self {
        .enabled(if: AppRuntime.isInForce, "without the runtime, an app's tasks leave its device")
    }
}
