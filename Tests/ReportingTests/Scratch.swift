// A directory that goes away with the test.

import Foundation

final class Scratch {
    let path: String

    init() throws {
        let url = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory, create: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func names(_ directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(directory)").sorted()
    }
}
