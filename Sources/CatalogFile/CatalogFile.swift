// Loads the products of an Xcode StoreKit configuration file.
// Pure but for reading the file; any thread.

package import Foundation
package import Simulation
package import Text

/// Xcode's StoreKit configuration files, versions 1.0 to 5.0.
package enum CatalogFile {
    /// Real files are a few kilobytes.
    package static let bytesMax = 4 << 20

    /// The catalog in the file at `path`.
    ///
    /// - Parameter start: where relative paths start, for the hint at one that leads nowhere.
    /// - Throws: every mistake of the file at once.
    package static func load(
        path: String, start: String = "a scenario's catalog is relative to the scenario"
    ) throws(Problems) -> Catalog {
        let kind = kind(missingHint: "check the path; \(start)")
        let bytes: [UInt8]
        do {
            bytes = try SourceFile.bytes(of: path, as: kind)
        } catch {
            throw Problems(error)
        }
        return try parse(bytes, file: path, as: kind)
    }

    /// The catalog in `data`; `file` is what errors call it.
    ///
    /// - Throws: every mistake of the file at once.
    package static func parse(data: Data, file: String) throws(Problems) -> Catalog {
        try parse(Array(data), file: file, as: kind(missingHint: nil))
    }

    private static func kind(missingHint: String?) -> SourceKind {
        SourceKind(noun: ".storekit file", bytesMax: bytesMax, missingHint: missingHint)
    }

    private static func parse(_ bytes: [UInt8], file: String, as kind: SourceKind) throws(Problems) -> Catalog {
        let source: SourceText
        let root: SourceNode
        do {
            source = try SourceText(bytes: bytes, file: file, as: kind) { _ in nil }
            root = try JSONReader.read(
                source, file: file, hint: "export the file from Xcode again, or correct the JSON")
        } catch {
            throw Problems(error)
        }
        var reader = CatalogFileReader(file: file, source: source)
        guard case .mapping(let members) = root.content else {
            reader.notes.report(
                root.position, "expected an object, found \(root.shownAsJSON)",
                hint: "pass a .storekit file made by Xcode 12 or later")
            throw reader.notes.collected
        }
        let catalog = reader.catalog(CatalogFileObject(members, at: Place(path: "", position: root.position)))
        if reader.notes.hasProblems { throw reader.notes.collected }
        return catalog
    }
}
