// The functions of the keychain, and random bytes.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import AppleCoreTypes
public import Foundation

/// Adds an item to the keychain. Returns `errSecDuplicateItem` if it has one like it.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let (status, answer) = Keychain.current.add(KeychainQuery(attributes))
    if status == errSecSuccess { result?.pointee = answer }
    return status
}

/// Finds the items that match the query. Unlike Apple's systems, a simulated device never asks its user to unlock.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let (status, answer) = Keychain.current.find(KeychainQuery(query))
    if status == errSecSuccess { result?.pointee = answer }
    return status
}

/// Changes all matching items in one step.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.current.update(KeychainQuery(query), KeychainQuery(attributesToUpdate))
}

/// Deletes all matching items in one step.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { Keychain.current.delete(KeychainQuery(query)) }

/// A source of random bytes; there is only one.
public struct SecRandomRef: Sendable {}

public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with unpredictable bytes.
/// A simulated device with its own source of randomness gives the same bytes in every run of a seed.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    // One call of the system gives no more bytes.
    let most = 256
    for start in stride(from: 0, to: count, by: most) {
        guard getentropy(bytes + start, min(most, count - start)) == 0 else { return errSecAllocate }
    }
    return errSecSuccess
}
