// A folder that goes away with the test.

package import Foundation

package final class ScratchFolder {
    package let url: URL

    package init() throws {
        url = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory, create: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    package func names(_ directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(directory)").sorted()
    }
}
