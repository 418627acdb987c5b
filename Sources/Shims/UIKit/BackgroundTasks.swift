// Tasks that an app asked to finish in the background.
// Any thread; `lock` guards the tasks.

internal import Foundation

/// The identifier of a background task.
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// `UIBackgroundTaskIdentifier.invalid`, under its older name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UIBackgroundTaskInvalid = UIBackgroundTaskIdentifier.invalid

final class BackgroundTasks: @unchecked Sendable {  // Guard: `lock`.
    typealias Handler = @MainActor @Sendable () -> Void

    private let lock = NSLock()
    private var handlers: [Int: Handler?] = [:]
    private var latest = 0

    func begin(_ handler: Handler?) -> UIBackgroundTaskIdentifier {
        lock.withLock {
            latest += 1
            handlers[latest] = .some(handler)
            return UIBackgroundTaskIdentifier(rawValue: latest)
        }
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        _ = lock.withLock { handlers.removeValue(forKey: identifier.rawValue) }
    }

    /// Expires all open tasks, in the order in which they began.
    @MainActor func expire() {
        let open = lock.withLock {
            defer { handlers = [:] }
            return handlers.sorted { $0.key < $1.key }
        }
        for (_, handler) in open { handler?() }
    }
}
