// What the system tells an app of its own life, for layers above that pass it on as the system would.
// Any thread, except what says otherwise.

internal import Foundation
internal import Synchronization

/// Something that the system tells an app.
package enum AppMoment: Sendable {
    case didFinishLaunching
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    case willTerminate
}

/// Where an app stands between two of these.
package enum AppPhase: UInt8, Sendable {
    case inactive
    case active
    case background
}

/// Passes an app's moments on to listeners, of which most programs have none.
package enum AppMoments {
    package typealias Listener = @Sendable (AppProcess, AppMoment) -> Void

    private static let isHeard = Atomic<Bool>(false)
    private static let lock = NSLock()
    nonisolated(unsafe) private static var listeners: [Listener] = []  // Guard: `lock`.

    /// Has `listener` called, in client code and on the main queue, for every app of this program.
    package static func listen(_ listener: @escaping Listener) {
        lock.withLock { listeners.append(listener) }
        isHeard.store(true, ordering: .releasing)
    }

    fileprivate static func tell(_ process: AppProcess, _ moment: AppMoment) {
        guard isHeard.load(ordering: .acquiring) else { return }
        for listener in lock.withLock({ listeners }) where process.isAlive { listener(process, moment) }
    }
}

extension AppProcess {
    /// An app that no harness drives is in front.
    package var phase: AppPhase {
        device.isStandalone ? .active : AppPhase(rawValue: phaseWord.load(ordering: .relaxed)) ?? .inactive
    }

    private func enter(_ phase: AppPhase) { phaseWord.store(phase.rawValue, ordering: .relaxed) }

    // Each is called in client code, on the device's main queue, after what the client itself is called for.

    package func hasLaunched() {
        AppMoments.tell(self, .didFinishLaunching)
        enter(.active)
        AppMoments.tell(self, .didBecomeActive)
    }

    package func leavesForeground() {
        AppMoments.tell(self, .willResignActive)
        enter(.background)
        AppMoments.tell(self, .didEnterBackground)
    }

    package func comesToForeground() {
        AppMoments.tell(self, .willEnterForeground)
        enter(.active)
        AppMoments.tell(self, .didBecomeActive)
    }

    package func isToTerminate() { AppMoments.tell(self, .willTerminate) }
}
