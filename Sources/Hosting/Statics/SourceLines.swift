// Lines of source code by addresses, as the toolchain's own tool reads them from a program.
// Any thread; waits for a process.

internal import Foundation

enum SourceLines {
    struct Line {
        let file: String
        let line: Int
        /// Of the check that the compiler has put there, what it says of it to debuggers.
        let failure: String?
    }

    /// The lines of addresses in a file; nothing where there is no such tool, or the program does not say.
    static func find(_ addresses: [UInt], in path: String) -> [UInt: Line] {
        guard let tool = Self.tool, !addresses.isEmpty else { return [:] }
        let program = path == LoadedObject.programPath ? Bundle.main.executablePath ?? path : path
        let arguments = ["--obj=\(program)", "--output-style=JSON"] + addresses.map { "0x" + String($0, radix: 16) }
        guard let written = output(of: tool, arguments) else { return [:] }
        let answers = (try? JSONDecoder().decode([Answer].self, from: written)) ?? []
        var found: [UInt: Line] = [:]
        for (address, answer) in zip(addresses, answers) { found[address] = answer.line }
        return found
    }

    /// Not by Foundation's `Process`: its first use makes a thread and waits for it, which client code may have been in the middle
    /// of when its app ended.
    private static func output(of tool: URL, _ arguments: [String]) -> Data? {
        let pipe = Pipe()
        let end = pipe.fileHandleForWriting.fileDescriptor
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([tool.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawn(&child, tool.path, &actions, nil, &words, environ) == 0 else { return nil }
        try? pipe.fileHandleForWriting.close()
        let written = pipe.fileHandleForReading.readDataToEndOfFile()
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return written
    }

    /// As the tool writes it, in the order that it was asked.
    private struct Answer: Decodable {
        struct Written: Decodable {
            let file: String
            let line: Int
            let function: String?

            enum CodingKeys: String, CodingKey {
                case file = "FileName"
                case line = "Line"
                case function = "FunctionName"
            }
        }
        let written: [Written]?

        enum CodingKeys: String, CodingKey { case written = "Symbol" }

        /// Of functions that were put into one another the innermost that is no library's.
        var line: Line? {
            let lines = (written ?? []).filter { $0.line > 0 && !$0.file.hasPrefix("<") }
            let own = lines.first { FileManager.default.fileExists(atPath: $0.file) } ?? lines.last
            let failure = written?.first?.function.flatMap { $0.hasPrefix(SourceLines.failurePrefix) ? $0 : nil }
            return own.map { Line(file: SourceLines.seenFromHere($0.file), line: $0.line, failure: failure) }
        }
    }

    /// As the compiler names the functions that stand for its checks.
    private static let failurePrefix = "Swift runtime failure: "

    /// What lies below the current folder is called by its way from there.
    private static func seenFromHere(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    /// Beside the compiler whose libraries the program uses, or else the machine's.
    static var isThere: Bool { tool != nil }

    private static let tool: URL? = {
        let name = "llvm-symbolizer"
        let libraries = URL(fileURLWithPath: LoadedObject.toolchain)
        var folders = [libraries.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()]
        folders = folders.map { $0.appendingPathComponent("bin") }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        folders += path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        return folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()
}
