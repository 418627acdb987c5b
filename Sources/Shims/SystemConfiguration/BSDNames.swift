// Names of run loops and addresses that code for Apple's systems uses and Linux lacks.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AppleCoreTypes
public import Foundation

public func CFRunLoopGetMain() -> CFRunLoop! { .main }
public func CFRunLoopGetCurrent() -> CFRunLoop! { .current }

/// A run loop mode, under the name that code for these functions uses.
public struct CFRunLoopMode: RawRepresentable, Hashable, @unchecked Sendable {  // Unchecked: its string never changes.
    public let rawValue: CFString

    public init(rawValue: CFString) { self.rawValue = rawValue }

    public static let defaultMode = CFRunLoopMode(rawValue: "kCFRunLoopDefaultMode")
    public static let commonModes = CFRunLoopMode(rawValue: "kCFRunLoopCommonModes")
}

// Addresses begin with their length on Apple's systems; here no code reads it.

extension sockaddr {
    public var sa_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr>.size) }
        set {}
    }
}

extension sockaddr_in {
    public var sin_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in>.size) }
        set {}
    }
}

extension sockaddr_in6 {
    public var sin6_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in6>.size) }
        set {}
    }
}
