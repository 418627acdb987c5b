// Optional methods of StoreKit's protocols that only a subclass of the conforming class has.
// Any thread.

internal import Foundation
internal import Statics

/// A method that a subclass alone has, so that the protocol's default is called instead.
package struct SubclassMethod: Hashable, Sendable {
    /// The subclass, without its module.
    package let type: String
    /// As `paymentQueueRestoreCompletedTransactionsFinished(_:)`.
    package let name: String
    /// The class that conforms to the protocol and lacks the method.
    package let conforming: String
    /// Where the subclass declares it; nil: the sources were not found.
    package let file: String?
    package let line: Int?

    package init(type: String, name: String, conforming: String, file: String? = nil, line: Int? = nil) {
        (self.type, self.name, self.conforming) = (type, name, conforming)
        (self.file, self.line) = (file, line)
    }
}

package enum SubclassMethods {
    /// What sources declare. Symbols do not show it all: a method of a final class or of an extension leaves none.
    nonisolated(unsafe) package static var declared: [SubclassMethod] = []  // Guard: set before any client code runs.

    /// Of some methods those that only subclasses of the conforming class have.
    ///
    /// - Parameter conforms: whether a class conforms to the protocol that declares the methods.
    package static func find(
        _ names: [String], of type: AnyClass, conforms: (AnyClass) -> Bool
    ) -> [SubclassMethod] {
        var subclasses: [String] = []
        var conforming: AnyClass = type
        while let above = _getSuperclass(conforming), conforms(above) {
            subclasses.append(Self.name(of: conforming))
            conforming = above
        }
        let owner = ownName(of: Self.name(of: conforming))
        return subclasses.flatMap { subclass -> [SubclassMethod] in
            let type = ownName(of: subclass)
            let added = ClassMethods.added(by: subclass)
            return names.compactMap { name -> SubclassMethod? in
                let written = declared.first { $0.type == type && $0.name == name }
                guard written != nil || added.contains(name) else { return nil }
                return SubclassMethod(
                    type: type, name: name, conforming: owner, file: written?.file, line: written?.line)
            }
        }
    }

    /// `Shop.Store` of `Shop.Store<Swift.Int>`.
    private static func name(of type: AnyClass) -> String { String(String(reflecting: type).prefix { $0 != "<" }) }

    /// Without its module, or the number of the file that a private class is known in.
    private static func ownName(of name: String) -> String {
        name.hasPrefix("(") || name.contains(".(")
            ? name.split(separator: ".").last.map(String.init) ?? name
            : name.split(separator: ".").dropFirst().joined(separator: ".")
    }
}

extension AppProcess {
    /// StoreKit calls an optional method of the app's: whether the app has it only where it cannot be called is noted.
    package func callsOptional(_ method: OptionalMethod, of object: AnyObject, conforms: (AnyClass) -> Bool) {
        guard let missed = MissedCalls.find(method, of: object, conforms: conforms) else { return }
        device.missedMethods.insert(OptionalMethods(method))
        ClientRemarks.note(.subclassMethod, [ClientRemarks.Subject(missed)])
    }
}

/// What was found of each class of client code.
private enum MissedCalls {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let method: OptionalMethod
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var found: [Key: SubclassMethod?] = [:]  // Guard: `lock`.

    static func find(
        _ method: OptionalMethod, of object: AnyObject, conforms: (AnyClass) -> Bool
    ) -> SubclassMethod? {
        let type: AnyClass = Swift.type(of: object)
        let key = Key(type: ObjectIdentifier(type), method: method)
        if let known = lock.withLock({ found[key] }) { return known }
        let missed = SubclassMethods.find([method.name], of: type, conforms: conforms).first
        lock.withLock { found[key] = missed }
        return missed
    }
}
