// The notifications of an app's life, under their present names and under the names of Swift 3 and 4.
// Any thread.

public import Foundation

extension UIApplication {
    public nonisolated class var didFinishLaunchingNotification: NSNotification.Name {
        AppLife.name("UIApplicationDidFinishLaunchingNotification")
    }
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name {
        AppLife.name("UIApplicationDidBecomeActiveNotification")
    }
    public nonisolated class var willResignActiveNotification: NSNotification.Name {
        AppLife.name("UIApplicationWillResignActiveNotification")
    }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        AppLife.name("UIApplicationDidEnterBackgroundNotification")
    }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        AppLife.name("UIApplicationWillEnterForegroundNotification")
    }
    public nonisolated class var willTerminateNotification: NSNotification.Name {
        AppLife.name("UIApplicationWillTerminateNotification")
    }

    // Never posted: simulated devices have memory enough, one time zone and nothing to protect.

    public nonisolated class var didReceiveMemoryWarningNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
    }
    public nonisolated class var significantTimeChangeNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationSignificantTimeChangeNotification")
    }
    public nonisolated class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable")
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NSNotification.Name {
    public static var UIApplicationDidFinishLaunching: NSNotification.Name {
        UIApplication.didFinishLaunchingNotification
    }
    public static var UIApplicationDidBecomeActive: NSNotification.Name { UIApplication.didBecomeActiveNotification }
    public static var UIApplicationWillResignActive: NSNotification.Name { UIApplication.willResignActiveNotification }
    public static var UIApplicationDidEnterBackground: NSNotification.Name {
        UIApplication.didEnterBackgroundNotification
    }
    public static var UIApplicationWillEnterForeground: NSNotification.Name {
        UIApplication.willEnterForegroundNotification
    }
    public static var UIApplicationWillTerminate: NSNotification.Name { UIApplication.willTerminateNotification }
    public static var UIApplicationDidReceiveMemoryWarning: NSNotification.Name {
        UIApplication.didReceiveMemoryWarningNotification
    }
}
