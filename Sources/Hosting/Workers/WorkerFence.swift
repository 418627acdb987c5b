// What keeps workers from harming other processes, whatever their client code asks the kernel for.
// Any thread.

internal import CWorkers

package enum WorkerFence {
    /// Whether this kernel keeps a worker's signals within it.
    package static var keepsSignals: Bool { stampede_can_fence_signals() }
}
