// The app as UIKit knows it: one object for each launch of the app on each device.
// On the main actor, as on Apple's systems; `nonisolated` members on any thread.

@_exported public import Foundation
internal import Simulation
internal import StoreKit

/// The running app. It has no screen, and its device has no other app that it could open.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    /// The app's state, as the system reported it last.
    public enum State: Int, Sendable { case active, inactive, background }

    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }

    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// The URL of the app's settings, which no simulated device has.
    public nonisolated static let openSettingsURLString = "app-settings:"

    nonisolated let process: AppProcess
    nonisolated let backgroundTasks = BackgroundTasks()
    let scene: UIWindowScene

    /// The app's delegate. It hears of the harness's actions before observers of notifications do.
    /// The harness does not call it for the launch: the client does that itself.
    public weak var delegate: (any UIApplicationDelegate)?

    // Shown nowhere; they keep the value that was set.
    public var isNetworkActivityIndicatorVisible = false
    public var isIdleTimerDisabled = false
    public var applicationIconBadgeNumber = 0

    nonisolated private init(_ process: AppProcess) {
        self.process = process
        scene = UIWindowScene(process)
        super.init()
    }

    /// The simulated app whose code is running; in a plain unit test the process's app.
    public static var shared: UIApplication {
        AppLife.listens
        return of(CurrentProcess.found(for: "UIApplication.shared"))
    }

    nonisolated static func of(_ process: AppProcess) -> UIApplication {
        process.processObject(UIApplication.self) { UIApplication(process) }
    }

    /// The app's state. An app that no harness drives is active.
    public var applicationState: State {
        switch process.phase {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    public var connectedScenes: Set<UIScene> { [scene] }
    public var windows: [UIWindow] { scene.windows }
    public var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }

    // MARK: Other apps

    /// Always false: the device has no other app.
    public func canOpenURL(_ url: URL) -> Bool { false }

    @discardableResult
    public func openURL(_ url: URL) -> Bool { false }

    /// Opens nothing: `completion` receives false, on the main queue.
    @preconcurrency
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard let completion else { return }
        DispatchQueue.main.async { completion(false) }
    }

    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }

    // MARK: Time in the background

    /// Begins a background task.
    /// A simulated device suspends an app as soon as it is in the background: open tasks expire.
    @preconcurrency
    public nonisolated func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        AppLife.listens
        return backgroundTasks.begin(handler)
    }

    @preconcurrency
    public nonisolated func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(expirationHandler: handler)
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backgroundTasks.end(identifier)
    }

    public var backgroundTimeRemaining: TimeInterval {
        applicationState == .background ? 0 : .greatestFiniteMagnitude
    }
}
