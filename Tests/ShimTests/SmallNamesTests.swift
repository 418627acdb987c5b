// Members of Foundation's classes that Linux lacks. This file imports nothing else for them.

import ClientKit
import Foundation
import RuntimePrograms
import Simulation
import StandaloneUse
import StoreKit
import Testing

@Suite struct SmallNamesTests {
    @Test func dictionarySetsAndRemovesByKey() {
        let contents = NSMutableDictionary()
        contents.setValue("secret", forKey: "password")
        contents.setValue("receipt", forKey: "receipt-data")
        #expect(contents.value(forKey: "password") as? String == "secret" && contents.count == 2)
        contents.setValue("other", forKey: "password")
        #expect(contents["password"] as? String == "other")
        contents.setValue(nil, forKey: "password")
        contents.setValue(nil, forKey: "unknown")
        #expect(contents.allKeys as? [String] == ["receipt-data"])
    }

    @Test func defaultsSetAndRemoveByKey() throws {
        let defaults = try #require(UserDefaults(suiteName: UUID().uuidString))
        #expect(defaults.value(forKey: "unlock_maps") == nil)
        defaults.setValue(true, forKey: "unlock_maps")
        #expect(defaults.bool(forKey: "unlock_maps") && defaults.value(forKey: "unlock_maps") as? Bool == true)
        defaults.setValue(["extra_lives": 3], forKey: "goods")
        #expect(defaults.value(forKey: "goods") as? [String: Int] == ["extra_lives": 3])
        defaults.setValue(nil, forKey: "unlock_maps")
        #expect(defaults.object(forKey: "unlock_maps") == nil && defaults.object(forKey: "goods") != nil)
    }

    @Test func deviceIsAPhone() {
        #expect(!ProcessInfo.processInfo.isiOSAppOnMac && !ProcessInfo.processInfo.isMacCatalystApp)
    }

    @Test func nsLocaleHasCurrencyCountryAndLanguage() {
        let locale = Locale(identifier: "de_DE") as NSLocale
        #expect(locale.currencyCode == "EUR" && locale.currencySymbol == "€")
        #expect(locale.countryCode == "DE" && locale.languageCode == "de")
        #expect((Locale(identifier: "de") as NSLocale).countryCode == nil)
    }

    @Test(arguments: [
        (URL.documentsDirectory, FileManager.SearchPathDirectory.documentDirectory),
        (.cachesDirectory, .cachesDirectory), (.applicationSupportDirectory, .applicationSupportDirectory),
    ])
    func urlFoldersAreThoseOfTheFileManager(folder: URL, directory: FileManager.SearchPathDirectory) {
        #expect(FileManager.default.urls(for: directory, in: .userDomainMask).first == folder)
    }
}

/// On a simulated device, whose home and defaults are its own.
@Suite(.enabled(if: AppRuntime.isInForce)) struct SmallNamesOnDevicesTests {
    private let log = Log()

    init() { FoundationHooks.install() }

    @Test func urlFoldersAreBelowTheHomeOfTheDevice() {
        let log = log
        #expect(
            ProgramDevice().run {
                for folder in [URL.documentsDirectory, .cachesDirectory, .applicationSupportDirectory] {
                    log.add(folder.path.replacing(NSHomeDirectory(), with: "~"))
                }
            })
        #expect(log.lines == ["~/Documents", "~/Library/Caches", "~/Library/Application Support"])
    }

    @Test func defaultsByKeyStayOnTheirDevice() {
        let log = log
        let count: @Sendable () -> Void = { log.add("\(UserDefaults.standard.value(forKey: "lives") ?? "none")") }
        let (device, other) = (ProgramDevice(), ProgramDevice())
        #expect(device.run { UserDefaults.standard.setValue(3, forKey: "lives") })
        #expect(device.run(count) && other.run(count))
        #expect(device.run { UserDefaults.standard.setValue(nil, forKey: "lives") })
        #expect(device.run(count))
        #expect(log.lines == ["3", "none", "none"])
    }
}

/// As libraries keep a token: with Foundation alone.
@Suite(.aloneOnTheDevice) struct KeychainByFoundationTests {
    @Test func keychainComesWithFoundation() {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "by-foundation",
        ]
        let item = query.merging([kSecValueData as String: Data("token".utf8)]) { $1 }
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        var found: AnyObject?
        let search = query.merging([kSecReturnData as String: kCFBooleanTrue as Any]) { $1 }
        #expect(SecItemCopyMatching(search as CFDictionary, &found) == errSecSuccess)
        #expect(found as? Data == Data("token".utf8))
        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
        #expect(errSecIO == -36 && errSecInvalidValue == -67049)
    }
}
