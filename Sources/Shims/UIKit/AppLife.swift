// Reports the harness's actions on an app as UIKit does: to the delegate, then as notifications of the device's centre.
// On the device's main queue, in client code; members that say so on any thread.

internal import Foundation
internal import Simulation

enum AppLife {
    /// The name of a notification. Code that reads one may wait for it, so AppLife posts them from here on. Any thread.
    static func name(_ name: String) -> NSNotification.Name {
        listens
        return NSNotification.Name(name)
    }

    /// Listens once in a program.
    static let listens: Void = AppMoments.listen { process, moment in
        let application = UIApplication.of(process)
        onMainActor { tell(application, moment) }
    }

    @MainActor private static func tell(_ application: UIApplication, _ moment: AppMoment) {
        let (delegate, scene) = (application.delegate, application.scene)
        switch moment {
        case .didFinishLaunching:
            // The client calls its delegate itself: only the client's launch can have set one.
            post(UIApplication.didFinishLaunchingNotification, application)
        case .didBecomeActive:
            delegate?.applicationDidBecomeActive(application)
            post(UIApplication.didBecomeActiveNotification, application)
            post(UIScene.didActivateNotification, scene)
        case .willResignActive:
            delegate?.applicationWillResignActive(application)
            post(UIApplication.willResignActiveNotification, application)
            post(UIScene.willDeactivateNotification, scene)
        case .didEnterBackground:
            delegate?.applicationDidEnterBackground(application)
            post(UIApplication.didEnterBackgroundNotification, application)
            post(UIScene.didEnterBackgroundNotification, scene)
            application.backgroundTasks.expire()
        case .willEnterForeground:
            delegate?.applicationWillEnterForeground(application)
            post(UIApplication.willEnterForegroundNotification, application)
            post(UIScene.willEnterForegroundNotification, scene)
        case .willTerminate:
            delegate?.applicationWillTerminate(application)
            post(UIApplication.willTerminateNotification, application)
        }
    }

    private static func post(_ name: NSNotification.Name, _ object: AnyObject) {
        NotificationCenter.default.post(name: name, object: object)
    }
}

/// Runs main-actor code on the main queue of a device.
/// Swift knows that queue as the main actor's only while the runtime is in force.
func onMainActor(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Void).self)() }
}
