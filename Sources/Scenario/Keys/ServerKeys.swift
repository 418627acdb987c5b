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
                    "The server's address. With a star at the end: all addresses that begin so.", required: true,
                    example: "https://api.example.com/verify"), \.url
            ) { $0.address($1, $2) },
            .value(
                KeyFacts(
                    "method", ScenarioSchema.method, "GET, POST, …",
                    "The method of the requests that it answers. Default: all."),
                \.method
            ) { $0.method($1, $2) },
            .count("status", \.status, in: 100...599, "The HTTP status of the answer.", example: "200"),
            .value(
                KeyFacts("content_type", .reference("text"), "text", "The content type of the body."), \.contentType,
                written: { $0 }
            ) { reader, node, path in reader.headerText(node, path) },
            .value(
                KeyFacts("body", .reference("text"), "text", "The body of the answer."), \.body, written: { _ in nil }
            ) {
                reader, node, path in reader.text(node, path, as: "a body")
            },
            .durations(
                "latency", \.conditions.latency, "How long the server takes to answer.", drawing: .lasting(.message)),
            .outages("outages", \.conditions.outages, "When the server fails, from the start of the run."),
            .share("errors", \.conditions.errors, "Share of requests that the server answers with 503."),
            .flag(
                "real", \.isReal,
                "Whether wall-clock runs call the real server over the machine's network. Delays, outages and errors are "
                    + "added. Under the virtual clock the server answers as written."),
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
            node.position, "\(quoted(text))\(Self.place(path)) is not a server's address",
            hint: "write an address such as https://api.example.com/verify")
        return nil
    }

    fileprivate func method(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "an HTTP method") else { return nil }
        if !text.isEmpty, text.allSatisfy({ ("A"..."Z").contains($0) }) { return text }
        report(
            node.position, "\(quoted(text))\(Self.place(path)) is not an HTTP method",
            hint: "write it in capital letters, such as POST")
        return nil
    }

    /// What stands in one line of a header.
    fileprivate func headerText(_ node: SourceNode, _ path: String) -> String? {
        guard let text = text(node, path, as: "a content type") else { return nil }
        if !text.isEmpty, text.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) }) { return text }
        report(
            node.position, "\(quoted(text))\(Self.place(path)) is not a content type",
            hint: "write a type such as application/json")
        return nil
    }
}
