// A collector of metrics for tests, in a process of its own that ends with the object.
// Any thread.

import Foundation
import Testing

final class CollectorServer {
    /// How it answers.
    enum Manner: String {
        case takes
        /// The first two get 503, and shall come again at once.
        case isBusyAtFirst
        case refuses
        case takesAPart
        case neverAnswers
    }

    let url: String
    private let process = Process()
    private let folder: URL

    /// Keeps what comes, each body in a file of its own, which appears whole.
    private static let program = """
        import http.server, os, sys, threading, time
        manner, folder = sys.argv[1:]
        count = 0
        keeping = threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                global count
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with keeping:
                    count += 1
                    number = count
                    for name, data in (("body", body), ("head", f"{self.path}\\n{self.headers}".encode())):
                        with open(f"{folder}/new", "wb") as file: file.write(data)
                        os.rename(f"{folder}/new", f"{folder}/{name}-{number:04}")
                if manner == "neverAnswers": time.sleep(3600)
                busy = manner == "isBusyAtFirst" and number < 3
                self.send_response(400 if manner == "refuses" else 503 if busy else 200)
                if busy: self.send_header("Retry-After", "0")
                answer = b'{"partialSuccess":{"rejectedDataPoints":"5","errorMessage":"too old"}}' if manner == "takesAPart" else b"{}"
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        with open(f"{folder}/new", "w") as file: file.write(str(server.server_port))
        os.rename(f"{folder}/new", f"{folder}/port")
        server.serve_forever()
        """

    init(_ manner: Manner, in place: Workplace) throws {
        folder = place.folder.appendingPathComponent("collector-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, manner.rawValue, folder.path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let port = folder.appendingPathComponent("port")
        let deadline = ContinuousClock.now + .seconds(120)
        while !FileManager.default.fileExists(atPath: port.path) {
            guard ContinuousClock.now < deadline else { throw Overtime() }
            Thread.sleep(forTimeInterval: 0.001)
        }
        url = "http://127.0.0.1:\(try String(contentsOf: port, encoding: .utf8))"
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// In the order in which they came.
    func bodies() throws -> [CollectedMetrics] {
        try files("body").map { try JSONDecoder().decode(CollectedMetrics.self, from: $0) }
    }

    /// Path and headers of each request.
    func heads() throws -> [String] { try files("head").map { String(decoding: $0, as: UTF8.self) } }

    private func files(_ name: String) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(name) }.sorted()
            .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
    }
}

/// Of an ExportMetricsServiceRequest, what tests ask for.
struct CollectedMetrics: Decodable {
    struct Resources: Decodable {
        let resource: Resource
        let scopeMetrics: [Scope]
    }
    struct Resource: Decodable { let attributes: [Attribute] }
    struct Attribute: Decodable {
        struct Value: Decodable { let stringValue: String }
        let key: String
        let value: Value
    }
    struct Scope: Decodable { let metrics: [Metric] }
    struct Metric: Decodable {
        let name: String
        let sum: Points?
        let gauge: Points?
        let histogram: Points?
    }
    struct Points: Decodable { let dataPoints: [Point] }
    struct Point: Decodable {
        let asInt: String?
        let count: String?
    }
    let resourceMetrics: [Resources]

    /// Of all points; nil where there is no such metric.
    func count(_ name: String) -> Int? {
        let metric = resourceMetrics.flatMap(\.scopeMetrics).flatMap(\.metrics).first { $0.name == name }
        guard let points = metric?.sum ?? metric?.gauge ?? metric?.histogram else { return nil }
        return points.dataPoints.reduce(0) { $0 + (Int($1.asInt ?? $1.count ?? "") ?? 0) }
    }

    func attribute(_ key: String) -> String? {
        resourceMetrics.flatMap(\.resource.attributes).first { $0.key == key }?.value.stringValue
    }
}
