// The one scene of an app, and its windows.
// On the main actor; `nonisolated` members on any thread.

public import Foundation
internal import Simulation

/// A part of an app with a life of its own on Apple's systems. Here each app has one scene, in the app's own state.
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

/// A scene with windows: those windows that the app has made key and visible.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    public internal(set) var windows: [UIWindow] = []

    public var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }
}

/// A window, which is never drawn.
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

    /// Makes this the key window and adds it to the scene's windows.
    open func makeKeyAndVisible() {
        let scene = windowScene ?? UIApplication.shared.scene
        for window in scene.windows { window.isKeyWindow = false }
        isKeyWindow = true
        if !scene.windows.contains(self) { scene.windows.append(self) }
        windowScene = scene
    }
}
