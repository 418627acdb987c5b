// The functions of the keychain, and chance.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import AppleCoreTypes
public import Foundation

/// Adds an item, unless there is one like it.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let (status, answer) = Keychain.current.add(KeychainQuery(attributes))
    if status == errSecSuccess { result?.pointee = answer }
    return status
}

/// Finds what the query asks for. Unlike on Apple's systems a simulated device never asks its user to unlock.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let (status, answer) = Keychain.current.find(KeychainQuery(query))
    if status == errSecSuccess { result?.pointee = answer }
    return status
}

/// Changes all items that match, in one step.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.current.update(KeychainQuery(query), KeychainQuery(attributesToUpdate))
}

/// Deletes all items that match, in one step.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { Keychain.current.delete(KeychainQuery(query)) }

/// Where chance comes from: there is one source.
public struct SecRandomRef: Sendable {}

public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with what nobody can guess; on a simulated device with its own chance, the same in every run of a seed.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    // The system gives no more at a time.
    let most = 256
    for start in stride(from: 0, to: count, by: most) {
        guard getentropy(bytes + start, min(most, count - start)) == 0 else { return errSecAllocate }
    }
    return errSecSuccess
}
