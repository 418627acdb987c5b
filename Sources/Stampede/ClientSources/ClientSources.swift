// The client's Swift files: where they are, and what of them StoreKit does not reach on Linux.
// Reads files; any thread.

import ClientKit
import Foundation
import Simulation

struct ClientSources {
    /// As they were named, or as they were found.
    let places: [String]
    let files: [SwiftSource]

    private static let filesMax = 20_000
    private static let folderByDefault = "Sources"

    /// The Swift files below some folders, and files that are named themselves, in the order of their paths.
    init(in places: [String]) {
        self.places = places
        files = places.flatMap { Self.paths(in: $0) }.compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).map { SwiftSource(file: path, text: $0) }
        }
    }

    /// Where a program with clients of its own has its sources: below the current folder, or in the package that it was built
    /// in. Empty where there are none.
    static func placesByDefault(hasOwnClients: Bool) -> [String] {
        if !hasOwnClients { return [] }
        if Paths.kind(folderByDefault) == .folder { return [folderByDefault] }
        guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            return []
        }
        while folder.path != "/" {
            if Paths.exists(folder.appendingPathComponent("Package.swift").path) {
                let sources = folder.appendingPathComponent(folderByDefault).path
                return Paths.kind(sources) == .folder ? [sources] : []
            }
            folder = folder.deletingLastPathComponent()
        }
        return []
    }

    /// Has the run know what its client's sources declare. Before any client code runs; the main thread.
    ///
    /// - Parameter client: members of `StoreClient` are looked for only where a superclass of it conforms.
    static func declareOnce(for client: AnyClass) {
        if hasDeclared { return }
        hasDeclared = true
        let isSubclassed = _getSuperclass(client).map { $0 is any StoreClient.Type } ?? false
        var words = OptionalMethod.allCases.map(\.name)
        if isSubclassed { words += SubclassedClient.members }
        SubclassMethods.declared =
            ClientSources(
                around: Set(words.map { "func " + $0.prefix { $0 != "(" && $0 != "." } }),
                in: placesByDefault(hasOwnClients: true)
            ).subclassMethods
    }

    nonisolated(unsafe) private static var hasDeclared = false  // Guard: the main thread.

    /// The files with certain words, and those with the classes around them: a run has no time for others.
    private init(around words: Set<String>, in places: [String]) {
        self.places = places
        var unread: [(path: String, text: [UInt8])] = places.flatMap { Self.paths(in: $0) }.compactMap { path in
            FileManager.default.contents(atPath: path).map { (path, Array($0) + [0]) }
        }
        var read: [SwiftSource] = []
        var wanted = words
        var known: Set<String> = []
        while !wanted.isEmpty {
            let marks = wanted.map { Array($0.utf8) + [0] }
            let fitting = unread.filter { file in marks.contains { Self.holds(file.text, $0) } }
            unread.removeAll { file in fitting.contains { $0.path == file.path } }
            read += fitting.map {
                SwiftSource(file: $0.path, text: String(decoding: $0.text.dropLast(), as: UTF8.self))
            }
            let declaring = Set(read.flatMap(\.methods).map(\.type))
            let names = read.flatMap(\.types).filter {
                declaring.contains($0.name) || known.contains(Self.last($0.name))
            }
            .flatMap { [$0.name] + ($0.isClass ? Array($0.inherited.prefix(1)) : []) }
            let new = Set(names.map(Self.last)).subtracting(known)
            known.formUnion(new)
            wanted = Set(new.flatMap { ["class \($0)", "extension \($0)"] })
        }
        files = read.sorted { $0.file < $1.file }
    }

    /// Not by Foundation's search: the files of a large app are gone through a few times before each run.
    ///
    /// - Parameters: both end with a zero.
    private static func holds(_ text: [UInt8], _ mark: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in
            mark.withUnsafeBufferPointer { mark in
                guard let text = text.baseAddress, let mark = mark.baseAddress else { return false }
                return text.withMemoryRebound(to: CChar.self, capacity: 1) { text in
                    mark.withMemoryRebound(to: CChar.self, capacity: 1) { mark in strstr(text, mark) != nil }
                }
            }
        }
    }

    private static func last(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    private static func paths(in place: String) -> [String] {
        guard Paths.kind(place) == .folder else { return place.hasSuffix(".swift") ? [place] : [] }
        let names = FileManager.default.enumerator(atPath: place)?.lazy.compactMap { $0 as? String }
        // A hidden folder holds what a build has fetched or made.
        return (names.map(Array.init) ?? []).filter {
            $0.hasSuffix(".swift") && !$0.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        .prefix(filesMax).map { Paths.join(place, $0) }.sorted()
    }

    /// Methods of StoreKit's protocols, and members of `StoreClient`, that only a subclass of the conforming class has.
    var subclassMethods: [SubclassMethod] {
        var superclasses: [String: String] = [:]
        var conformances: [String: Set<String>] = [:]
        for type in files.flatMap(\.types) {
            conformances[type.name, default: []].formUnion(type.inherited)
            if !type.isExtension, type.isClass, let first = type.inherited.first { superclasses[type.name] = first }
        }
        // `Outer.Base` may be called `Base` where a class inherits from it.
        func named(_ name: String) -> String? {
            if conformances[name] != nil { return name }
            return conformances.keys.filter { $0.hasSuffix("." + name) }.min()
        }
        let methods = files.flatMap { source in source.methods.filter(\.isCompiled).map { (source.file, $0) } }
        return methods.compactMap { file, method in
            guard let protocols = Self.defaulted[method.name], !method.isOverride, superclasses[method.type] != nil,
                conformances[method.type]?.isDisjoint(with: protocols) ?? false
            else { return nil }
            var (above, seen) = (superclasses[method.type], Set([method.type]))
            while let name = above.flatMap(named), seen.insert(name).inserted {
                if conformances[name]?.isDisjoint(with: protocols) == false {
                    return SubclassMethod(
                        type: method.type, name: method.name, conforming: name, file: file, line: method.line)
                }
                above = superclasses[name]
            }
            return nil
        }
    }

    /// Code that Linux does not compile, with the methods of StoreKit's protocols in it that no other code declares.
    struct ExcludedMethods {
        let file: String
        let block: SwiftSource.ExcludedBlock
        let methods: [String]
    }

    /// In the order of the files and their lines.
    var excludedMethods: [ExcludedMethods] {
        let compiled = Set(files.flatMap(\.methods).filter(\.isCompiled).map { "\($0.type).\($0.name)" })
        return files.flatMap { source in
            source.excluded.compactMap { block in
                let left = source.methods.filter { method in
                    block.lines.contains(method.line) && Self.storeKitMethods.contains(method.name)
                        && !compiled.contains("\(method.type).\(method.name)")
                }
                // Of conditions in one another the innermost names the method.
                let names = left.filter { method in
                    !source.excluded.contains { $0.line > block.line && $0.lines.contains(method.line) }
                }.map(\.name)
                return names.isEmpty ? nil : ExcludedMethods(file: source.file, block: block, methods: names)
            }
        }
    }

    private static let storeKitMethods = Set(OptionalMethod.allCases.map(\.name)).union([
        "paymentQueue(_:updatedTransactions:)", "productsRequest(_:didReceive:)",
    ])

    /// The protocols that give a method a default, by its name.
    private static let defaulted: [String: Set<String>] = {
        var found = Dictionary(
            uniqueKeysWithValues: SubclassedClient.members.map { ($0, Set(["StoreClient", "AsyncStoreClient"])) })
        for method in OptionalMethod.allCases { found[method.name] = [method.protocolName] }
        for method in [OptionalMethod.requestFinished, .requestFailed] {
            found[method.name]?.insert("SKProductsRequestDelegate")
        }
        return found
    }()

}
