// The way in: a scenario from a file or from its bytes, or everything that is wrong with it.
// Pure apart from reading the file and its catalog; any thread.

package import Text

package enum ScenarioFile {
    static let kind = kind(missingHint: nil)

    private static func kind(missingHint: String?) -> SourceKind {
        SourceKind(noun: "scenario file", bytesMax: ScenarioLimits.fileBytesMax, missingHint: missingHint)
    }

    /// Reads and checks a scenario file. The catalog is looked for beside it.
    ///
    /// - Parameter missingHint: what to do where there is no such file.
    package static func load(
        path: String, missingHint: String? = nil, context: ScenarioContext
    ) throws(Problems) -> Scenario {
        try read(path: path, missingHint: missingHint, context: context) { $0.scenario($1) }
    }

    /// Reads a file of any kind that is made of the same parts.
    static func read<Value>(
        path: String, missingHint: String? = nil, context: ScenarioContext,
        _ make: (ScenarioReader, SourceNode) -> Value?
    ) throws(Problems) -> Value {
        let bytes: [UInt8]
        do {
            bytes = try SourceFile.bytes(of: path, as: kind(missingHint: missingHint))
        } catch {
            throw Problems(error)
        }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return try parse(text: bytes, file: path, directory: directory, context: context, make)
    }

    /// Checks the bytes of a scenario. `file` is what problems call it; `directory` is where relative paths start.
    package static func parse(
        text bytes: [UInt8], file: String, directory: String, context: ScenarioContext
    ) throws(Problems) -> Scenario {
        try parse(text: bytes, file: file, directory: directory, context: context) { $0.scenario($1) }
    }

    private static func parse<Value>(
        text bytes: [UInt8], file: String, directory: String, context: ScenarioContext,
        _ make: (ScenarioReader, SourceNode) -> Value?
    ) throws(Problems) -> Value {
        let source: SourceText
        do {
            source = try SourceText(scenario: bytes, file: file)
        } catch {
            throw Problems(error)
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
}
