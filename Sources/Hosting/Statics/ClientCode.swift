// Which functions are the client's, and where in its sources their code is.
// Any thread.

internal import Foundation

/// A place in the client's code, as reports show it.
package struct CodePlace: Sendable, Equatable {
    /// As it is written in code, with the labels of its parameters.
    package let function: String
    /// From the current folder if it lies there; nil: the program does not say.
    package let file: String?
    package let line: Int?
    /// What the compiler's own check there is about, where it stands for one: `Swift runtime failure: arithmetic overflow`.
    package let failure: String?

    package init(function: String, file: String?, line: Int?, failure: String? = nil) {
        (self.function, self.file, self.line, self.failure) = (function, file, line, failure)
    }

    /// `Shop.buy()` (Sources/Shop.swift:41), the function in backticks.
    package var words: String {
        guard let file, let line else { return "`\(function)`" }
        return "`\(function)` (\(file):\(line))"
    }
}

package enum ClientCode {
    /// The first of some addresses that lies in the client's code; 0 if none does.
    package static func place(of calls: [UInt]) -> UInt {
        calls.first { functions.find($0)?.isClients ?? false } ?? 0
    }

    /// The module that the code at an address belongs to; nil where that is not known.
    package static func module(at place: UInt) -> String? {
        functions.find(place).flatMap { FunctionName.module(of: $0.name) }.map { String($0) }
    }

    /// Whether an address lies in the client's code. In a signal's handler too, once it has been asked before.
    package static func contains(_ place: UInt) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= place { low = middle + 1 } else { high = middle }
        }
        return low > 0 && ranges[low - 1].contains(place)
    }

    /// Where the client's functions lie, in order. Never freed.
    nonisolated(unsafe) private static let ranges: UnsafeBufferPointer<Range<UInt>> = {
        let found = functions.clients
        let kept = UnsafeMutableBufferPointer<Range<UInt>>.allocate(capacity: found.count)
        _ = kept.initialize(from: found)
        return UnsafeBufferPointer(kept)
    }()

    /// Whether `tell` can name lines at all.
    package static var findsLines: Bool { SourceLines.isThere }

    /// The code at places that `place(of:)` has returned in this process, its parent or its children.
    package static func tell(_ places: Set<UInt>) -> [UInt: CodePlace] {
        var told: [UInt: CodePlace] = [:]
        let known = places.filter { $0 != 0 }
        for (path, inObject) in Dictionary(grouping: known, by: { functions.find($0)?.path ?? "" }) {
            let lines = SourceLines.find(inObject.map { $0 &- functions.bias(of: path) }, in: path)
            for place in inObject {
                guard let function = functions.find(place)?.readable else { continue }
                let line = lines[place &- functions.bias(of: path)]
                told[place] = CodePlace(
                    function: function, file: line?.file, line: line?.line, failure: line?.failure)
            }
        }
        return told
    }

    /// Calls in words, up to the outermost known call. Unknown calls between two known ones are nil, once.
    /// Repeated calls of a function by itself are shown once.
    ///
    /// - Parameters:
    ///   - stacks: addresses, the innermost first.
    ///   - areClients: whether only the client's calls are known, and not all of the program's.
    package static func frames(of stacks: [[UInt]], areClients: Bool) -> [[String?]] {
        let known = Set(stacks.joined()).filter { place in
            functions.find(place).map { !areClients || $0.isClients } ?? false
        }
        let told = tell(known)
        return stacks.map { stack in
            var frames: [String?] = []
            for place in stack {
                // What the compiler has put between two functions has no name.
                let frame = told[place].flatMap { $0.function.isEmpty ? nil : $0.words }
                if frame == nil, frames.isEmpty { continue }
                if let last = frames.last, last == frame { continue }
                frames.append(frame)
            }
            if frames.last == .some(nil) { frames.removeLast() }
            return frames
        }
    }

    private static let functions = ClientFunctions()
}

/// The functions of the program and of what a package may have beside it, read when first asked for.
private struct ClientFunctions: Sendable {
    struct Function {
        let path: String
        let name: String

        var isClients: Bool { FunctionName.module(of: name).map { !SharedCode.isShared(module: $0) } ?? false }
        var readable: String { FunctionName.readable(name) }
    }

    private struct Object {
        let path: String
        let bias: UInt
        let table: SymbolTable
        let functions: [SymbolTable.Function]
    }

    private let objects: [Object]

    init() {
        objects = LoadedObject.all.filter { !$0.isSystems }.compactMap { object in
            SymbolTable(path: object.path).map {
                Object(path: object.path, bias: object.bias, table: $0, functions: $0.functions)
            }
        }
    }

    /// Where those lie that are the client's, in order.
    var clients: [Range<UInt>] {
        let all = objects.flatMap { object in
            object.functions.filter { Function(path: object.path, name: object.table.name(of: $0)).isClients }.map {
                object.bias + $0.address..<object.bias + $0.address + UInt($0.size)
            }
        }
        return all.sorted { $0.lowerBound < $1.lowerBound }
    }

    func bias(of path: String) -> UInt { objects.first { $0.path == path }?.bias ?? 0 }

    func find(_ address: UInt) -> Function? {
        for object in objects where address >= object.bias {
            let wanted = address - object.bias
            // The last function that begins at or before the address.
            var (low, high) = (0, object.functions.count)
            while low < high {
                let middle = (low + high) / 2
                if object.functions[middle].address <= wanted { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { continue }
            let function = object.functions[low - 1]
            if wanted < function.address + UInt(function.size) {
                return Function(path: object.path, name: object.table.name(of: function))
            }
        }
        return nil
    }
}
