// The one scene of an app, and its windows.
// On the main actor; what is `nonisolated` on any thread.

public import Foundation
internal import Simulation

/// A part of an app that has a life of its own on Apple's systems; here each app has one, which does as the app does.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    nonisolated private let process: AppProcess

    nonisolated init(_ process: AppProcess) {
        self.process = process
        super.init()
    }

    public var activationState: ActivationState {
        switch process.phase {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }

    public nonisolated class var didActivateNotification: NSNotification.Name {
        AppLife.name("UISceneDidActivateNotification")
    }
    public nonisolated class var willDeactivateNotification: NSNotification.Name {
        AppLife.name("UISceneWillDeactivateNotification")
    }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        AppLife.name("UISceneWillEnterForegroundNotification")
    }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        AppLife.name("UISceneDidEnterBackgroundNotification")
    }
}

/// A scene with windows: those that the app has made for it and shown.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    public internal(set) var windows: [UIWindow] = []

    public var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }
}

/// A window, of which nothing is drawn.
@preconcurrency @MainActor
open class UIWindow: UIView {
    public var rootViewController: UIViewController?
    public weak var windowScene: UIWindowScene?
    public private(set) var isKeyWindow = false

    public nonisolated init(windowScene: UIWindowScene) {
        super.init()
        onMainActor { self.windowScene = windowScene }
    }

    public nonisolated override init() { super.init() }

    /// From here on the app finds it among its windows.
    open func makeKeyAndVisible() {
        let scene = windowScene ?? UIApplication.shared.scene
        for window in scene.windows { window.isKeyWindow = false }
        isKeyWindow = true
        if !scene.windows.contains(self) { scene.windows.append(self) }
        windowScene = scene
    }
}
