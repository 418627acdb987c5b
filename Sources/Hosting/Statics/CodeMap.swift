// Where the code of a program lies in one process, so that a place in it can be found in another one.
// A value; any thread.

/// Each process has its program and its libraries elsewhere in memory.
package struct CodeMap: Codable, Sendable, Equatable {
    private struct Image: Codable, Equatable {
        let path: String
        let base: UInt
    }

    /// By where they begin.
    private let images: [Image]

    /// Of this process, and of those that it forks.
    package static let here = CodeMap(
        images: LoadedObject.all.map { Image(path: $0.path, base: $0.bias) }.sorted { $0.base < $1.base })

    /// Where the same code lies in a process with another map; 0 where that has not loaded it.
    package func place(_ address: UInt, in other: CodeMap) -> UInt {
        guard address != 0, let image = images.last(where: { $0.base <= address }),
            let there = other.images.first(where: { $0.path == image.path })
        else { return 0 }
        return there.base &+ (address &- image.base)
    }
}

extension ClientCode {
    /// The files that the program's own code comes from: the program, and what a package has beside it.
    package static var files: [String] {
        LoadedObject.all.filter { !$0.isSystems }.map(\.path)
    }
}
