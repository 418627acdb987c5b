// A library that an app depends on, as libraries are: it keeps what it likes in statics.

import Foundation

public final class KitShared {
    public static let shared = KitShared()
    public var list: [Int] = []
}

public struct KitSettings {
    public static var plain = 3
    public static var text = "a text that is too long to lie within its own sixteen bytes"
    public init() {}
}

public var kitCounter = 0
public var kitArray = [1, 2, 3]
@usableFromInline var kitInlined = 9

@inlinable public func kitNext() -> Int {
    kitInlined += 1
    return kitInlined
}
