// Modules that the client's files use and do not import on Linux: one added file has all files of a module see them.
// Pure; any thread.

import Reporting

extension ClientSources {
    /// By the folder of the module, in the order of the folders.
    var modulesNotImported: [(folder: String, uses: [DoctorFinding.ModuleUse])] {
        var folders = ModuleFolders(places: places)
        return Dictionary(grouping: files) { folders.folder(of: $0.file) }.sorted { $0.key < $1.key }
            .compactMap { folder, files in
                let uses = ModuleUses(files).first
                return uses.isEmpty ? nil : (folder, uses)
            }
    }

    /// The first import of each product of this package that an app's files take for one of the system's modules.
    var productsImported: [DoctorFinding.ModuleUse] {
        var found: [String: DoctorFinding.ModuleUse] = [:]
        for source in files {
            for use in ImportReader.imports(in: source)
            where use.excludedBy == nil && use.question == nil && AppleModule.products.contains(use.module) {
                found[use.module] = found[use.module] ?? .init(use.module, .init(source.file, use.line), .plainImport)
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The files of one module.
private struct ModuleUses {
    private let files: [(source: SwiftSource, imports: [ImportReader.Import], tokens: [SwiftCode.Token])]
    /// What all of them see.
    private let exported: Set<String>
    /// Names of the module's own.
    private let declared: Set<String>

    private static let storeKit = "StoreKit"
    private static let introducers: Set<String> = [
        "actor", "class", "enum", "func", "protocol", "struct", "typealias",
    ]

    init(_ sources: [SwiftSource]) {
        files = sources.map { source in
            let tokens = SwiftCode.tokens(of: source.code).filter { token in
                !source.excluded.contains { $0.lines.contains(token.line) }
            }
            return (source, ImportReader.imports(in: source), tokens)
        }
        exported = Set(
            files.flatMap(\.imports).filter { $0.isExported && $0.excludedBy == nil }.map(\.module))
        declared = Set(
            files.flatMap { file in
                zip(file.tokens, file.tokens.dropFirst()).filter { Self.introducers.contains($0.0.text) }
                    .map(\.1.text)
            })
    }

    /// Of each module the first, in the order in which a file lists them.
    var first: [DoctorFinding.ModuleUse] {
        var found: [DoctorFinding.ModuleUse] = []
        for use in files.flatMap(uses) where !found.contains(where: { $0.module == use.module }) {
            found.append(use)
        }
        return found.sorted { $0.module < $1.module }
    }

    private func uses(
        _ source: SwiftSource, _ imports: [ImportReader.Import], _ tokens: [SwiftCode.Token]
    ) -> [DoctorFinding.ModuleUse] {
        let compiled = Set(imports.filter { $0.excludedBy == nil }.map(\.module))
        let isSeen = { (modules: Set<String>) in
            !modules.isDisjoint(with: compiled) || !modules.isDisjoint(with: exported)
        }
        var found: [DoctorFinding.ModuleUse] = []
        for module in AppleModule.all where !isSeen(module.imports) {
            let names = module.names.subtracting(declared)
            guard let use = tokens.first(where: { names.contains($0.text) }) else { continue }
            if let left = imports.first(where: { $0.module == module.name }), let condition = left.excludedBy {
                found.append(
                    .init(module.name, .init(source.file, left.line), .excludedImport(condition: condition)))
            } else if !module.bringers.isDisjoint(with: compiled) {
                found.append(.init(module.name, .init(source.file, use.line), .name(use.text)))
            }
        }
        return found + storeKitUses(source, imports, tokens)
    }

    /// Where StoreKit itself is imported under a condition.
    private func storeKitUses(
        _ source: SwiftSource, _ imports: [ImportReader.Import], _ tokens: [SwiftCode.Token]
    ) -> [DoctorFinding.ModuleUse] {
        let own = imports.filter { $0.module == Self.storeKit }
        let compiled = own.filter { $0.excludedBy == nil }
        if let first = own.first, let condition = first.excludedBy, compiled.isEmpty,
            !exported.contains(Self.storeKit),
            tokens.contains(where: { $0.text.hasPrefix("SK") && !declared.contains($0.text) })
        {
            return [
                .init(
                    Self.storeKit, .init(source.file, first.line), .excludedImport(condition: condition))
            ]
        }
        guard let first = compiled.first, let question = first.question, compiled.allSatisfy({ $0.question != nil }),
            question.module != Self.storeKit, AppleModule.all.contains(where: { $0.name == question.module }),
            !exported.contains(question.module)
        else { return [] }
        return [.init(question.module, .init(source.file, first.line), .condition(question.condition))]
    }
}
