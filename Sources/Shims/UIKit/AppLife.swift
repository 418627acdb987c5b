// What the harness does with an app, told as UIKit tells it: to the delegate, then by notifications of the device's centre.
// On the device's main queue, in client code; what says otherwise on any thread.

internal import Foundation
internal import Simulation

enum AppLife {
    /// The name of a notification. Whoever asks for one may wait for it, and so has them posted from here on. Any thread.
    static func name(_ name: String) -> NSNotification.Name {
        listens
        return NSNotification.Name(name)
    }

    /// Once in a program.
    static let listens: Void = AppMoments.listen { process, moment in
        let application = UIApplication.of(process)
        onMainActor { tell(application, moment) }
    }

    @MainActor private static func tell(_ application: UIApplication, _ moment: AppMoment) {
        let (delegate, scene) = (application.delegate, application.scene)
        switch moment {
        case .didFinishLaunching:
            // The delegate is the client's own to call: only its launch can have set one.
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

/// Runs what is the main actor's on the main queue of a device, which Swift knows as that actor's only where the runtime
/// is in force.
func onMainActor(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Void).self)() }
}
