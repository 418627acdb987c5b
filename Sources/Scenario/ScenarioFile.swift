// The way in: a scenario from a file or from its bytes, or everything that is wrong with it.
// Pure apart from reading the file and its catalog; any thread.

import Foundation

package enum ScenarioFile {
    /// Reads and checks a scenario file. The catalog is looked for beside it.
    package static func load(path: String, context: ScenarioContext) throws(ScenarioProblems) -> Scenario {
        try read(path: path, context: context) { $0.scenario($1) }
    }

    /// Reads a file of any kind that is made of the same parts.
    static func read<Value>(
        path: String, context: ScenarioContext, _ make: (ScenarioReader, SourceNode) -> Value?
    ) throws(ScenarioProblems) -> Value {
        let bytes: [UInt8]
        do {
            bytes = try contents(of: path)
        } catch {
            throw ScenarioProblems(problems: [
                ScenarioProblem(file: path, line: 1, column: 1, message: error.message, hint: error.hint, snippet: nil)
            ])
        }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return try parse(text: bytes, file: path, directory: directory, context: context, make)
    }

    /// Checks the bytes of a scenario. `file` is what problems call it; `directory` is where relative paths start.
    package static func parse(
        text bytes: [UInt8], file: String, directory: String, context: ScenarioContext
    ) throws(ScenarioProblems) -> Scenario {
        try parse(text: bytes, file: file, directory: directory, context: context) { $0.scenario($1) }
    }

    private static func parse<Value>(
        text bytes: [UInt8], file: String, directory: String, context: ScenarioContext,
        _ make: (ScenarioReader, SourceNode) -> Value?
    ) throws(ScenarioProblems) -> Value {
        let source: SourceText
        do {
            source = try SourceText(bytes: bytes)
        } catch {
            throw ScenarioProblems(problems: [
                ScenarioProblem(
                    file: file, line: error.position.line, column: error.position.column, message: error.message,
                    hint: error.hint, snippet: nil)
            ])
        }
        let composer = YAMLComposer(source)
        let reader = ScenarioReader(source: source, file: file, directory: directory, context: context)
        for problem in composer.problems { reader.report(problem.position, problem.message, hint: problem.hint) }
        let value = composer.root.flatMap { make(reader, $0) }
        if let value, !reader.hasProblems { return value }
        // Whatever cannot be read has said why; should it ever not have, the file is still refused.
        if !reader.hasProblems { reader.report(.start, "the file cannot be read") }
        throw reader.collectedProblems
    }

    // MARK: The file

    private struct Unreadable: Error {
        let message: String
        var hint: String?
    }

    private static func contents(of path: String) throws(Unreadable) -> [UInt8] {
        // An empty path is the current directory to some calls, and a NUL ends the path for others.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Unreadable(message: "no path to a scenario") }
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            let exists = (error as? CocoaError)?.code != .fileReadNoSuchFile
            throw Unreadable(message: exists ? "the file cannot be read" : "no such file")
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular: break
        case .typeDirectory: throw Unreadable(message: "this is a folder", hint: "name one scenario file in it")
        default: throw Unreadable(message: "this is not a regular file")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= ScenarioLimits.fileBytesMax else {
            throw Unreadable(message: SourceText.tooLarge(size).message)
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            // One byte more than allowed, in case the file has grown since.
            return [UInt8](try handle.read(upToCount: ScenarioLimits.fileBytesMax + 1) ?? Data())
        } catch {
            throw Unreadable(message: "the file cannot be read", hint: "is it yours to read?")
        }
    }
}
