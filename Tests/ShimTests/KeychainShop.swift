// A shop as an app may have it, with all that such code imports: it follows the app's life by notifications, keeps its goods
// in the keychain, looks whether there is a network, and writes a log.
// The main queue.

import Network
import Security
import StoreKit
import UIKit
import os.log

final class KeychainShop: NSObject {
    private let log = Logger(subsystem: "com.example.shop", category: "store")
    private let monitor = NWPathMonitor()
    private let vault = GoodsVault()
    private(set) var isOnline = false
    /// Called with a transaction, and whether it brought anything.
    typealias Completion = (SKPaymentTransaction, _ isNew: Bool) -> Void
    private var purchases: [String: [Completion]] = [:]
    private var restores: [(Result<Int, Error>) -> Void] = []
    private var restored = 0
    var hears: (String) -> Void = { _ in }

    override init() {
        super.init()
        let center = NotificationCenter.default
        _ = center.addObserver(forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil) {
            [unowned self] _ in start()
        }
        _ = center.addObserver(forName: UIApplication.willTerminateNotification, object: nil, queue: .main) {
            [unowned self] _ in stop()
        }
    }

    private func start() {
        SKPaymentQueue.default().add(self)
        monitor.pathUpdateHandler = { [weak self] path in
            guard let self else { return }
            isOnline = path.status == .satisfied
            log.debug("path: \(self.isOnline ? "online" : "offline", privacy: .public)")
            hears(isOnline ? "online" : "offline")
        }
        monitor.start(queue: .main)
    }

    private func stop() {
        monitor.cancel()
        SKPaymentQueue.default().remove(self)
    }

    func held(_ identifier: String) -> Int { vault.contents.counts[identifier] ?? 0 }

    func buy(_ product: SKProduct, quantity: Int, completion: @escaping Completion) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        purchases[product.productIdentifier, default: []].append(completion)
        log.info("buying \(quantity) of \(product.productIdentifier, privacy: .public)")
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (Result<Int, Error>) -> Void) {
        restores.append(completion)
        guard restores.count == 1 else { return }
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func endRestores(_ result: Result<Int, Error>) {
        let waiting = restores
        restores = []
        waiting.forEach { $0(result) }
    }

    private func answer(_ transaction: SKPaymentTransaction, isNew: Bool = true) {
        let identifier = transaction.payment.productIdentifier
        guard purchases[identifier]?.isEmpty == false, let completion = purchases[identifier]?.removeFirst() else {
            return
        }
        completion(transaction, isNew)
    }
}

extension KeychainShop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let status = vault.deliver(transaction)
                guard status == errSecSuccess || status == errSecDuplicateItem else {
                    log.fault("keychain: \(status)")
                    continue
                }
                if transaction.transactionState == .restored { restored += 1 }
                queue.finishTransaction(transaction)
                answer(transaction, isNew: status == errSecSuccess)
            case .failed:
                os_log("failed: %{public}@", type: .error, transaction.error?.localizedDescription ?? "?")
                queue.finishTransaction(transaction)
                answer(transaction)
            case .deferred: answer(transaction)
            case .purchasing: break
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { endRestores(.success(restored)) }
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        endRestores(.failure(error))
    }
}

/// One item of the keychain: what is held, and which transactions have been delivered.
private struct GoodsVault {
    struct Contents: Codable {
        var counts: [String: Int] = [:]
        var delivered: Set<String> = []
    }

    private let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "com.example.shop",
        kSecAttrAccount as String: "goods",
    ]

    var contents: Contents {
        var item: CFTypeRef?
        let search = query.merging([kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne]) { $1 }
        guard SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess, let data = item as? Data else {
            return Contents()
        }
        return (try? JSONDecoder().decode(Contents.self, from: data)) ?? Contents()
    }

    /// `errSecDuplicateItem`: it was delivered before.
    func deliver(_ transaction: SKPaymentTransaction) -> OSStatus {
        var contents = contents
        let original = transaction.original ?? transaction
        guard let identifier = original.transactionIdentifier, contents.delivered.insert(identifier).inserted else {
            return errSecDuplicateItem
        }
        contents.counts[transaction.payment.productIdentifier, default: 0] += transaction.payment.quantity
        guard let data = try? JSONEncoder().encode(contents) else { return errSecParam }
        let status = SecItemUpdate(query as CFDictionary, [kSecValueData as String: data] as CFDictionary)
        guard status == errSecItemNotFound else { return status }
        return SecItemAdd(query.merging([kSecValueData as String: data]) { $1 } as CFDictionary, nil)
    }
}
