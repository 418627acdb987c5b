// UIKit as purchase code uses it, in a plain unit test and on simulated devices.

import ClientKit
import Engine
import Foundation
import RunSupport
import RuntimePrograms
import Scenario
import Simulation
import StandaloneUse
import StoreKit
import Testing
import UIKit

/// As many helpers are written: it asks again what was missed whenever the app comes back.
private final class ReturnObserver {
    var notes: Notes?
    private var tokens: [NSObjectProtocol] = []

    init(_ names: [(String, Notification.Name)]) {
        for (name, notification) in names {
            tokens.append(
                NotificationCenter.default.addObserver(forName: notification, object: nil, queue: nil) {
                    [weak self] in
                    self?.hear(name, $0.object)
                })
        }
    }

    func hear(_ name: String, _ object: Any?) {
        notes?.add("\(name) \((object as? UIApplication).map { "\($0.applicationState)" } ?? "-")")
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    static let all: [(String, Notification.Name)] = [
        ("launched", UIApplication.didFinishLaunchingNotification),
        ("active", UIApplication.didBecomeActiveNotification),
        ("inactive", UIApplication.willResignActiveNotification),
        ("background", UIApplication.didEnterBackgroundNotification),
        ("foreground", UIApplication.willEnterForegroundNotification),
        ("terminates", .UIApplicationWillTerminate),
        ("scene", UIScene.didActivateNotification),
        ("memory", UIApplication.didReceiveMemoryWarningNotification),
    ]
}

private final class ShopDelegate: NSObject, UIApplicationDelegate {
    var window: UIWindow?
    var notes: Notes?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { notes?.add("delegate active") }
    func applicationDidEnterBackground(_ application: UIApplication) { notes?.add("delegate background") }
}

/// An app of a scenario, which writes down what it hears.
private final class LivelyClient: StoreClient {
    private let observer = ReturnObserver(ReturnObserver.all)
    private let delegate = ShopDelegate()
    private var task = UIBackgroundTaskIdentifier.invalid

    static var options: [ClientOption] { [ClientOption(name: "notes", values: ["any"], meaning: "Whose these are.")] }

    func launch() {
        observer.notes = Notes.of(environment.options)
        delegate.notes = observer.notes
        UIApplication.shared.delegate = delegate
        _ = delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
        observer.hear("launch", UIApplication.shared)
        task = UIApplication.shared.beginBackgroundTask { [observer] in observer.hear("expired", nil) }
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.cancelled)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [:] }
}

@Suite(.aloneOnTheDevice) struct ApplicationTests {
    @MainActor @Test func sharedApplicationExistsOutsideARun() async {
        #expect(UIApplication.shared === UIApplication.shared)
        #expect(UIApplication.shared.applicationState == .active)
        #expect(UIApplication.shared.backgroundTimeRemaining > 1_000)
        #expect(UIDevice.current.userInterfaceIdiom == .phone && UIDevice.current.systemVersion >= "15")
        #expect(UIDevice.current.identifierForVendor == UIDevice.current.identifierForVendor)
        guard let settings = URL(string: UIApplication.openSettingsURLString) else { return }
        #expect(!UIApplication.shared.canOpenURL(settings))
        #expect(await !UIApplication.shared.open(settings))
        await withCheckedContinuation { done in
            UIApplication.shared.open(settings) { opened in
                #expect(!opened)
                done.resume()
            }
        }
    }

    @MainActor @Test func presentedAlertIsNotTapped() async {
        let delegate = ShopDelegate()
        _ = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
        guard let root = UIApplication.shared.keyWindow?.rootViewController else {
            Issue.record("no root")
            return
        }
        let scene = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.first
        #expect(scene?.activationState == .foregroundActive && scene?.windows.first === delegate.window)
        let alert = UIAlertController(title: "Restored", message: "Your purchases are back.", preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default, handler: { _ in Issue.record("tapped") }))
        await withCheckedContinuation { done in root.present(alert, animated: true) { done.resume() } }
        #expect(root.presentedViewController === alert && alert.actions.count == 1 && root.isViewLoaded == false)
        await withCheckedContinuation { done in alert.dismiss(animated: true) { done.resume() } }
        #expect(root.presentedViewController == nil && alert.presentingViewController == nil)
    }

    @Test func backgroundTasksHaveIdentifiers() {
        let application = UIApplication.of("tasks")
        var task = UIBackgroundTaskIdentifier.invalid
        task = application.beginBackgroundTask(withName: "finish") { application.endBackgroundTask(task) }
        #expect(task != .invalid && task != application.beginBackgroundTask())
        application.endBackgroundTask(task)
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct ApplicationRunTests {
    /// What one launch of `LivelyClient` writes down that goes to the background and is terminated.
    private static let launch = [
        "launch inactive", "launched inactive", "delegate active", "active active", "scene -", "inactive active",
        "delegate background", "background background", "expired -", "foreground background", "delegate active",
        "active active", "scene -", "terminates active",
    ]

    @Test(arguments: ["virtual", "wall"])
    func appReceivesItsLifecycleNotifications(clock: String) throws {
        let notes = Notes()
        let scenario = try Scenario.journey(
            ["launch", "background: 50ms", "terminate", "launch"], users: 2, sections: ["clock: \(clock)"],
            naming: LivelyClient.self)
        let result = run(scenario, LivelyClient.self, options: notes.options, workers: 2)
        #expect(result.unjudgedUsers == 0)
        // Two devices, each with what it heard itself; the second launch ends with the run.
        #expect(notes.ofDevices.count == 2)
        for lines in notes.ofDevices { #expect(Array(lines.prefix(19)) == Self.launch + Self.launch.prefix(5)) }
    }

    @Test func identifierForVendorChangesWithAReinstall() {
        let (first, second) = (ProgramDevice(), ProgramDevice())
        var numbers: [String] = []
        let tell = { numbers.append(UIDevice.current.identifierForVendor?.uuidString ?? "none") }
        #expect(first.run(tell) && second.run(tell))
        first.device.terminate()
        _ = first.device.launch()
        #expect(first.run(tell))
        first.device.terminate()
        first.device.reinstall()
        _ = first.device.launch()
        #expect(first.run(tell))

        #expect(numbers[0] == numbers[2] && numbers[0] != numbers[3])
    }
}

extension UIApplication {
    /// From code that is on no actor, as much of Swift 5 is.
    fileprivate static func of(_ reason: String) -> UIApplication { .shared }
}
