// What apps write in Swift 6 over the modules that Linux lacks: isolation and sendability are as on Apple's systems, and an
// actor may keep what it asks for.

import AppleFoundation
import Network
import Security
import StoreKit
import SystemConfiguration
import UIKit
import os

@MainActor
public final class PaywallController: UIViewController {
    private let logger = Logger(subsystem: "com.example.shop", category: "paywall")
    private var task: Task<Void, Never>?
    public private(set) var isLoading = false

    public override func viewDidLoad() {
        super.viewDidLoad()
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
        ) { [weak self] _ in
            Task { @MainActor in self?.reload() }
        }
    }

    public func reload() {
        isLoading = UIApplication.shared.applicationState == .active
        task = Task { [weak self] in
            await Task.yield()
            self?.show("done")
        }
    }

    public func wait() async { await task?.value }

    private func show(_ message: String) {
        isLoading = false
        logger.info("shows \(message, privacy: .public) on \(UIDevice.current.model)")
        let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .cancel) { [weak self] _ in self?.isLoading = true })
        present(alert, animated: true)
    }
}

final class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        var identifier = UIBackgroundTaskIdentifier.invalid
        identifier = application.beginBackgroundTask(withName: "finish", expirationHandler: nil)
        application.endBackgroundTask(identifier)
    }
}

/// What an actor keeps, and asks from wherever it runs.
public actor ReceiptVault {
    private let cache = OSAllocatedUnfairLock(initialState: [String: Data]())
    private let monitor = NWPathMonitor()
    private static let log = OSLog(subsystem: "com.example.shop", category: "vault")

    public init() {}

    public func follow(_ changed: @escaping @Sendable (Bool) -> Void) {
        monitor.pathUpdateHandler = { path in changed(path.status == .satisfied) }
        monitor.start(queue: DispatchQueue(label: "com.example.shop.path"))
    }

    private func query(_ key: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "six",
            kSecAttrAccount as String: key,
        ]
    }

    public func keep(_ data: Data, for key: String) -> Bool {
        cache.withLock { $0[key] = data }
        SecItemDelete(query(key) as CFDictionary)
        let status = SecItemAdd(query(key).merging([kSecValueData as String: data]) { $1 } as CFDictionary, nil)
        os_log("kept: %d", log: Self.log, type: .debug, status)
        return status == errSecSuccess
    }

    public func data(for key: String) -> Data? {
        var item: CFTypeRef?
        let search = query(key).merging([kSecReturnData as String: kCFBooleanTrue as Any]) { $1 }
        guard SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? Data
    }
}
