// The keychain as helpers of purchase code use it, in a plain unit test and on simulated devices.

import ClientKit
import Foundation
import RuntimePrograms
import Security
import Simulation
import StandaloneUse
import Testing

/// As most tutorials write it.
private struct KeychainHelper {
    let service: String

    private func query(_ key: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: key,
        ]
    }

    func save(_ data: Data, for key: String) -> OSStatus {
        var attributes = query(key)
        attributes[kSecValueData as String] = data
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return status }
        return SecItemUpdate(query(key) as CFDictionary, [kSecValueData: data] as CFDictionary)
    }

    func load(_ key: String) -> Data? {
        var query = query(key)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        guard status == noErr else { return nil }
        return result as? Data
    }

    func count(_ key: String) -> Int {
        load(key).flatMap { String(data: $0, encoding: .utf8) }.flatMap { Int($0) } ?? 0
    }
    @discardableResult
    func set(_ count: Int, for key: String) -> OSStatus { save(Data("\(count)".utf8), for: key) }

    func remove(_ key: String) -> OSStatus { SecItemDelete(query(key) as CFDictionary) }
}

@Suite(.serialized, .aloneOnTheDevice) struct KeychainTests {
    private let service = "com.example.shop.\(UUID().uuidString)"

    @Test func savedKeychainItemIsFoundUntilItIsDeleted() {
        let keychain = KeychainHelper(service: service)
        #expect(keychain.load("coins") == nil)
        #expect(keychain.set(3, for: "coins") == errSecSuccess)
        #expect(keychain.count("coins") == 3)
        #expect(keychain.set(4, for: "coins") == errSecSuccess)
        #expect(keychain.count("coins") == 4 && keychain.count("lives") == 0)
        #expect(keychain.remove("coins") == errSecSuccess && keychain.remove("coins") == errSecItemNotFound)
        #expect(keychain.load("coins") == nil)
    }

    @Test func keychainItemsHaveAttributes() throws {
        for (account, label) in [("b", "second"), ("a", "first")] {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecAttrLabel: label, kSecValueData: Data(label.utf8),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
        }
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecReturnAttributes: true,
                kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
            ] as [CFString: Any] as CFDictionary
        var item: CFTypeRef?
        #expect(SecItemCopyMatching(query, &item) == errSecSuccess)
        let found = try #require(item as? [[String: Any]])
        #expect(found.compactMap { $0[kSecAttrAccount as String] as? String } == ["b", "a"])
        #expect(found.compactMap { $0[kSecValueData as String] as? Data } == [Data("second".utf8), Data("first".utf8)])
        #expect(found.first?[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)

        // One of them, by another attribute; then it takes the other's name, which must not be.
        let first: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrLabel as String: "first",
        ]
        #expect(
            SecItemUpdate(first as CFDictionary, [kSecAttrAccount as String: "b"] as CFDictionary)
                == errSecDuplicateItem)
        #expect(
            SecItemUpdate(first as CFDictionary, [kSecAttrAccount as String: "c"] as CFDictionary) == errSecSuccess)
        #expect(KeychainHelper(service: service).load("c") == Data("first".utf8))
        #expect(KeychainHelper(service: service).load("a") == nil)

        #expect(SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary) == 0)
        #expect(SecItemCopyMatching(query, &item) == errSecItemNotFound)
        #expect(SecItemCopyMatching([kSecAttrService: service] as CFDictionary, &item) == errSecParam)
        #expect(SecItemAdd([kSecAttrService: service] as CFDictionary, nil) == errSecParam)
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil).map { ($0 as String).isEmpty } == false)
        for itemClass in [kSecClassCertificate, kSecClassKey, kSecClassIdentity, kSecClassInternetPassword] {
            #expect(SecItemDelete([kSecClass: itemClass] as CFDictionary) == errSecItemNotFound)
        }
    }

    @Test func secRandomFillsTheRequestedBytes() {
        var nonce = [UInt8](repeating: 0, count: 600)
        #expect(SecRandomCopyBytes(kSecRandomDefault, nonce.count, &nonce) == errSecSuccess)
        #expect(nonce[0..<200].contains { $0 != 0 } && nonce[400...].contains { $0 != 0 })
        var data = Data(count: 32)
        let status = data.withUnsafeMutableBytes { bytes in
            SecRandomCopyBytes(kSecRandomDefault, 32, bytes.baseAddress!)
        }
        #expect(status == errSecSuccess && data != Data(count: 32))
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct DeviceKeychainTests {
    private let keychain = KeychainHelper(service: "com.example.shop")

    @Test func keychainOutlivesTheAppAndStaysOnItsDevice() {
        let (first, second) = (ProgramDevice(), ProgramDevice())
        var seen: [Int] = []
        let look = { seen.append(keychain.count("coins")) }
        #expect(first.run { keychain.set(3, for: "coins") })
        #expect(first.run(look) && second.run(look))
        first.device.crash()
        _ = first.device.launch()
        #expect(first.run(look))
        first.device.terminate()
        first.device.reinstall()
        _ = first.device.launch()
        #expect(first.run(look))
        #expect(seen == [3, 0, 3, 3])
    }

    @Test(arguments: 1...3)
    func crashComesBeforeAKeychainWrite(effect: Int) {
        let bench = ProgramDevice(crashingBefore: effect)
        #expect(
            bench.run {
                keychain.set(1, for: "coins")
                keychain.set(2, for: "coins")
            })
        let hasCrashed = effect < 3
        #expect((bench.device.process == nil) == hasCrashed)
        var held = -1
        bench.device.beginSettling()
        if hasCrashed { _ = bench.device.launch() }
        #expect(bench.run { held = keychain.count("coins") })
        #expect(held == effect - 1)
    }

    @Test func keychainWriteOffTheLaneIsReadAtOnce() {
        let devices = WallDevices(2)
        let tally = Tally()
        let isQuiet = devices.run { number in
            DispatchQueue.global().async {
                keychain.set(number + 1, for: "coins")
                tally.add(keychain.count("coins") == number + 1)
                DispatchQueue.main.async { tally.add(keychain.count("coins") == number + 1) }
            }
        }
        #expect(isQuiet && tally.right == 4 && tally.wrong == 0)
        devices.onEach { device in #expect(device.storage.secrets.count == 1) }
    }

    @Test func secRandomIsDrawnFromTheDevicesSeed() {
        let (first, second) = (ProgramDevice(), ProgramDevice())
        var drawn: [[UInt8]] = []
        let draw = {
            var bytes = [UInt8](repeating: 0, count: 16)
            _ = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
            drawn.append(bytes)
        }
        // Two devices of one seed.
        #expect(first.run(draw) && second.run(draw))
        #expect(drawn[0] == drawn[1] && drawn[0].contains { $0 != 0 })
    }
}

private final class Tally: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private(set) var right = 0
    private(set) var wrong = 0

    func add(_ isRight: Bool) { lock.withLock { if isRight { right += 1 } else { wrong += 1 } } }
}
