// Members of Foundation's classes that purchase code uses and Linux lacks.
// Any thread, like the objects that they belong to.

public import Foundation

extension NSMutableDictionary {
    /// Stores a value under a key; nil removes the stored value.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key as NSString)
        }
    }
}

extension UserDefaults {
    /// Stores a value under a key, as `set(_:forKey:)` does; nil removes the stored value.
    public func setValue(_ value: Any?, forKey key: String) {
        // The system's method never returns if the value is nil.
        if let value {
            set(value, forKey: key)
        } else {
            removeObject(forKey: key)
        }
    }

    /// The value that `object(forKey:)` returns.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
}

extension ProcessInfo {
    /// False: simulated devices are phones.
    public var isiOSAppOnMac: Bool { false }
    /// False: simulated devices are phones.
    public var isMacCatalystApp: Bool { false }
}

extension NSLocale {
    /// The currency of the region, such as `USD`.
    public var currencyCode: String? { object(forKey: .currencyCode) as? String }
    /// How the currency is written, such as `$`.
    public var currencySymbol: String { object(forKey: .currencySymbol) as? String ?? "" }
    /// The region, such as `US`.
    public var countryCode: String? { object(forKey: .countryCode) as? String }
    /// The language, such as `en`.
    public var languageCode: String { object(forKey: .languageCode) as? String ?? "" }
}

extension URL {
    /// `Documents` in the device's home.
    public static var documentsDirectory: URL { folder(.documentDirectory) }
    /// `Library/Caches` in the device's home.
    public static var cachesDirectory: URL { folder(.cachesDirectory) }
    /// `Library/Application Support` in the device's home.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

    private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser
    }
}
