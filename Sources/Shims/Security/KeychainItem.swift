// An item of the keychain, and a query for items.
// Values; any thread.

internal import AppleCoreTypes
internal import Foundation
internal import Simulation

/// The attributes by their names, including class and secret; all are values of a property list.
struct KeychainItem {
    private(set) var attributes: [String: Any]

    init(_ attributes: [String: Any]) { self.attributes = attributes }

    init?(place: String, stored: StorageValue) {
        guard case .propertyList(let data) = stored,
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        else { return nil }
        attributes = list as? [String: Any] ?? [:]
    }

    var stored: StorageValue? {
        (try? PropertyListSerialization.data(fromPropertyList: attributes, format: .binary, options: 0))
            .map { .propertyList($0) }
    }

    /// The attributes in which no two items of a class are alike.
    private static func keys(of itemClass: CFString) -> [CFString] {
        switch itemClass {
        case kSecClassGenericPassword: [kSecAttrAccount, kSecAttrService]
        case kSecClassInternetPassword:
            [
                kSecAttrAccount, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol, kSecAttrAuthenticationType,
                kSecAttrPort, kSecAttrPath,
            ]
        default: [kSecAttrLabel, kSecAttrApplicationLabel, kSecAttrApplicationTag]
        }
    }

    /// The item's key in the device's storage.
    var place: String {
        let itemClass = attributes[kSecClass as String] as? String ?? ""
        let keys = [kSecAttrAccessGroup, kSecAttrSynchronizable] + Self.keys(of: itemClass as CFString)
        return keys.reduce(itemClass) { place, key in
            // Values may have any length and any characters.
            let value = attributes[key as String].map { ($0 as? Data)?.base64EncodedString() ?? "\($0)" } ?? ""
            return place + "\u{1F}\(value.utf8.count) \(value)"
        }
    }

    var created: Date { attributes[kSecAttrCreationDate as String] as? Date ?? .distantPast }

    func changed(by changes: KeychainQuery, at date: Date) -> KeychainItem {
        var attributes = attributes.merging(changes.attributes) { $1 }
        attributes[kSecAttrModificationDate as String] = date
        return KeychainItem(attributes)
    }
}

/// A dictionary as apps pass it to the keychain's functions.
struct KeychainQuery {
    /// The attributes that items have or are to have, including the class.
    let attributes: [String: Any]
    private let wishes: [String: Any]

    /// Prefixes of names that are not attributes.
    private static let wishMarks = ["r_", "m_", "u_", "v_PersistentRef", "nleg"]

    init(_ dictionary: CFDictionary) {
        var (attributes, wishes): ([String: Any], [String: Any]) = ([:], [:])
        for (key, value) in dictionary {
            let key = "\(key)"
            if Self.wishMarks.contains(where: { key.hasPrefix($0) }) {
                wishes[key] = value
            } else if PropertyListSerialization.propertyList([value], isValidFor: .binary) {
                // Other values, such as access control, need a user who unlocks the device.
                attributes[key] = value
            }
        }
        self.attributes = attributes
        self.wishes = wishes
    }

    var itemClass: String? { attributes[kSecClass as String] as? String }
    var reference: Data? { wishes[kSecValuePersistentRef as String] as? Data }

    /// The item to add; nil without a class.
    func newItem(at date: Date) -> KeychainItem? {
        guard itemClass != nil else { return nil }
        var item = attributes
        item[kSecAttrCreationDate as String] = date
        item[kSecAttrModificationDate as String] = date
        let accessible = kSecAttrAccessible as String
        item[accessible] = item[accessible] ?? kSecAttrAccessibleWhenUnlocked as String
        return KeychainItem(item)
    }

    func matches(_ item: KeychainItem) -> Bool {
        if let reference { return Data(item.place.utf8) == reference }
        let sync = kSecAttrSynchronizable as String
        if attributes[sync] == nil, item.attributes[sync] as? Bool == true { return false }
        return attributes.allSatisfy { key, wanted in
            if key == sync {
                if wanted as? String == kSecAttrSynchronizableAny as String { return true }
                return (wanted as? Bool ?? false) == (item.attributes[sync] as? Bool ?? false)
            }
            return item.attributes[key].map { Self.isEqual($0, wanted) } ?? false
        }
    }

    private static func isEqual(_ one: Any, _ other: Any) -> Bool {
        switch (one, other) {
        case (let one as String, let other as String): one == other
        case (let one as Data, let other as Data): one == other
        case (let one as Date, let other as Date): one == other
        case (let one as NSNumber, let other as NSNumber): one == other
        default: false
        }
    }

    private func wishes(for key: CFString) -> Bool { wishes[key as String] as? Bool ?? false }

    /// The items in the requested form: data, attributes or a reference; one item or a list.
    /// Nil if no form is requested.
    func answer(_ items: [KeychainItem]) -> AnyObject? {
        let limit = wishes[kSecMatchLimit as String]
        let count = limit as? Int ?? (limit as? String == kSecMatchLimitAll as String ? .max : 1)
        let shown = items.prefix(max(1, count)).compactMap(answer)
        return count > 1 ? (shown.isEmpty ? nil : shown as NSArray) : shown.first
    }

    private func answer(_ item: KeychainItem) -> AnyObject? {
        let data = item.attributes[kSecValueData as String] as? Data
        let reference = Data(item.place.utf8)
        guard wishes(for: kSecReturnAttributes) else {
            if wishes(for: kSecReturnPersistentRef) { return reference as NSData }
            return wishes(for: kSecReturnData) ? data as NSData? : nil
        }
        var shown = item.attributes
        shown[kSecValueData as String] = wishes(for: kSecReturnData) ? data : nil
        shown[kSecValuePersistentRef as String] = wishes(for: kSecReturnPersistentRef) ? reference : nil
        return shown as NSDictionary
    }
}
