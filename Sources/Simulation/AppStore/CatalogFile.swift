// Loads the products of an Xcode StoreKit configuration file.
// Pure but for reading the file; any thread.

package import Foundation

/// Xcode's StoreKit configuration files, versions 1.0 to 5.0.
package enum CatalogFile {
    /// Real files are a few kilobytes.
    package static let bytesMax = 4 << 20

    /// The catalog in the file at `path`.
    ///
    /// - Parameter start: where relative paths start, for whoever named one that leads nowhere.
    /// - Throws: every mistake of the file at once.
    package static func load(
        path: String, start: String = "a scenario's catalog is relative to the scenario"
    ) throws(CatalogFileErrors) -> Catalog {
        try parse(data: try contents(path: path, start: start), file: path)
    }

    /// The catalog in `data`; `file` is what errors call it.
    ///
    /// - Throws: every mistake of the file at once.
    package static func parse(data: Data, file: String) throws(CatalogFileErrors) -> Catalog {
        func fail(_ message: String, _ remedy: String) -> CatalogFileErrors {
            CatalogFileErrors(CatalogFileError(file: file, place: .file, message: message, remedy: remedy))
        }
        guard data.count <= bytesMax else { throw tooLarge(file) }
        let bytes = Array(data)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fail("not UTF-8 text", "save it as UTF-8; Xcode does")
        }
        let root: CatalogJSON
        do {
            root = try CatalogJSONReader.read(bytes)
        } catch {
            throw CatalogFileErrors(
                CatalogFileError(
                    file: file, place: .position(line: error.line, column: error.column),
                    message: error.message, remedy: error.remedy))
        }
        guard case .object(let members) = root else {
            throw fail(
                "holds \(root.kindName) where an object should be", "pass a .storekit file made by Xcode 12 or later")
        }
        var reader = CatalogFileReader(file: file, source: text)
        let catalog = reader.catalog(CatalogFileObject(members, path: ""))
        if let errors = reader.collected { throw errors.located(in: bytes) }
        return catalog
    }

    private static func tooLarge(_ file: String) -> CatalogFileErrors {
        CatalogFileErrors(
            CatalogFileError(
                file: file, place: .file, message: "larger than 4 MiB",
                remedy: "pass a StoreKit configuration file; real ones are a few kilobytes"))
    }

    private static func contents(path: String, start: String) throws(CatalogFileErrors) -> Data {
        func fail(_ message: String, _ remedy: String) -> CatalogFileErrors {
            CatalogFileErrors(CatalogFileError(file: path, place: .file, message: message, remedy: remedy))
        }
        // Without waiting: opening a pipe that nobody writes to would hang.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR {
                throw fail("no such file", "check the path; \(start)")
            }
            throw fail("cannot be opened: \(String(cString: strerror(code)))", "make it readable")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fail("cannot be examined", "make it readable") }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw fail("is a directory", "name the .storekit file inside it")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fail("is not a regular file", "name a .storekit file") }
        guard Int(status.st_size) <= bytesMax else { throw tooLarge(path) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw fail("cannot be read: \(String(cString: strerror(errno)))", "make it readable")
            }
            data.append(contentsOf: buffer[..<count])
            // The file may grow while it is read.
            guard data.count <= bytesMax else { throw tooLarge(path) }
        }
    }
}
