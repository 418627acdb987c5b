// What code for Apple's systems says of run loops and addresses, and Linux has not.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AppleCoreTypes
public import Foundation

public func CFRunLoopGetMain() -> CFRunLoop! { .main }
public func CFRunLoopGetCurrent() -> CFRunLoop! { .current }

/// How code for these functions names the modes of a run loop.
public struct CFRunLoopMode: RawRepresentable, Hashable, @unchecked Sendable {  // Unchecked: its string never changes.
    public let rawValue: CFString

    public init(rawValue: CFString) { self.rawValue = rawValue }

    public static let defaultMode = CFRunLoopMode(rawValue: "kCFRunLoopDefaultMode")
    public static let commonModes = CFRunLoopMode(rawValue: "kCFRunLoopCommonModes")
}

// Addresses begin with their length on Apple's systems; here nobody looks at it.

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
