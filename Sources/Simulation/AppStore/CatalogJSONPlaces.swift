// Lines and columns of values in a StoreKit configuration file, by their paths.
// Pure value. Made for files with mistakes alone: the text is read a second time.

struct CatalogJSONPlaces {
    private var positions: [String: CatalogFileError.Position] = [:]

    init(of paths: [String], in bytes: [UInt8]) {
        let wanted = Set(paths.flatMap { Self.withContainers($0) })
        var line = 1
        var lineStart = 0
        var index = 0
        for (path, offset) in CatalogJSONReader.offsets(of: wanted, in: bytes).sorted(by: { $0.value < $1.value }) {
            while index < offset {
                if bytes[index] == 0x0A {
                    line += 1
                    lineStart = index + 1
                }
                index += 1
            }
            positions[path] = CatalogFileError.Position(line: line, column: offset - lineStart + 1)
        }
    }

    /// Where a value begins; where it is missing, what should hold it.
    subscript(path: String) -> CatalogFileError.Position? {
        Self.withContainers(path).lazy.compactMap { positions[$0] }.first
    }

    /// `a[1].b`, `a[1]`, `a` and the document itself.
    private static func withContainers(_ path: String) -> [String] {
        var paths = [path]
        while let last = paths.last, !last.isEmpty {
            let end = last.lastIndex { $0 == "." || $0 == "[" } ?? last.startIndex
            paths.append(String(last[..<end]))
        }
        return paths
    }
}
