// Which methods a class adds, from the symbols of the program.
// Any thread.

package enum ClassMethods {
    /// Methods of a class that override nothing, as `paymentQueue(_:removedTransactions:)`.
    ///
    /// Optimised builds may drop the body of a method without a caller, but keep its descriptor. A method of a final or
    /// private class, or of an extension, has no descriptor in some builds, so none of these counts.
    ///
    /// - Parameter type: the class with its module, as `Shop.Store`.
    package static func added(by type: String) -> Set<String> { byType[type] ?? [] }

    private static let byType: [String: Set<String>] = {
        var found: [String: Set<String>] = [:]
        for object in LoadedObject.all where !object.isSystems {
            for name in SymbolTable(path: object.path)?.methodDescriptors ?? [] {
                guard let method = FunctionName.describedMethod(name) else { continue }
                found[method.type, default: []].insert(method.name)
            }
        }
        return found
    }()
}
