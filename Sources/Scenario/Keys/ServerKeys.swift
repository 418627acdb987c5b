// `http`: servers that a scenario describes.
// Constants; any thread.

import Simulation
import Text

extension KeySection<ServerStub> {
    static let server = KeySection(
        "http[]", ServerStub(),
        [
            .value(
                KeyFacts(
                    "url", .reference("text"), "text",
                    "Its address. With a star at the end: all that begin so.", required: true,
                    example: "https://api.example.com/verify"), \.url
            ) { $0.address($1, $2) },
            .value(
                KeyFacts("method", ScenarioSchema.method, "GET, POST, …", "The requests it answers. Default: all."),
                \.method
            ) { $0.method($1, $2) },
            .count("status", \.status, in: 100...599, "What it answers, as HTTP has it.", example: "200"),
            .value(
                KeyFacts("content_type", .reference("text"), "text", "Of what kind the body is."), \.contentType,
                written: { $0 }
            ) { reader, node, path in reader.headerText(node, path) },
            .value(KeyFacts("body", .reference("text"), "text", "What it answers with."), \.body, written: { _ in nil })
            {
                reader, node, path in reader.text(node, path, as: "a body")
            },
            .durations("latency", \.conditions.latency, "How long it takes to answer.", drawing: .lasting(.message)),
            .outages("outages", \.conditions.outages, "When it fails, from the start of the run."),
            .share("errors", \.conditions.errors, "Of the requests, those that it answers with 503."),
            .flag(
                "real", \.isReal,
                "Whether under the wall clock the server itself is asked, over the machine's network. Delays, outages and errors "
                    + "come on top; under the virtual clock it answers as written."),
        ])
}

extension ScenarioSchema {
    static let method = SchemaValue.scalar(SchemaScalar(kinds: [.string], pattern: "^[A-Z]+$"))
}

extension ScenarioReader {
    fileprivate func address(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "an address") else { return nil }
        if let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.count > scheme.count,
            !text.contains(" ")
        {
            return text
        }
        report(
            node.position, "\(quoted(text))\(Self.place(path)) is no address of a server",
            hint: "as in https://api.example.com/verify")
        return nil
    }

    fileprivate func method(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "a method of HTTP") else { return nil }
        if !text.isEmpty, text.allSatisfy({ ("A"..."Z").contains($0) }) { return text }
        report(
            node.position, "\(quoted(text))\(Self.place(path)) is no method of HTTP",
            hint: "as in POST, in capital letters")
        return nil
    }

    /// What stands in one line of a header.
    fileprivate func headerText(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "a type of content") else { return nil }
        if !text.isEmpty, text.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) }) { return text }
        report(
            node.position, "\(quoted(text))\(Self.place(path)) is no type of content", hint: "as in application/json")
        return nil
    }
}
