// Requests over HTTP: what servers answer is the scenario's to say, and comes at the device's time.

import ClientKit
import Foundation
import FoundationNetworking
import RuntimePrograms
import Testing

@testable import Simulation

@Suite struct RequestTests {
    private let device = ProgramDevice(servers: Self.servers)
    private let log = Log()

    init() { FoundationHooks.install() }

    private static let servers: [ServerStub] = [
        stub("https://api.example.com/verify") {
            $0.method = "POST"
            $0.body = #"{"status":0}"#
            $0.conditions.latency = .constant(Span.seconds(2).nanoseconds)
        },
        stub("https://api.example.com/*") {
            $0.status = 404
            $0.contentType = "text/plain"
            $0.body = "nothing here"
        },
        stub("https://down.example.com") {
            $0.conditions.outages = [StoreOutage(start: .start, duration: .seconds(1_000), answer: .error)]
        },
        stub("https://silent.example.com") {
            $0.conditions.outages = [StoreOutage(start: .start, duration: .seconds(1_000), answer: .timeout)]
        },
        stub("https://large.example.com") { $0.body = String(repeating: "x", count: 1_000_000) },
    ]

    private static func stub(_ url: String, _ set: (inout ServerStub) -> Void) -> ServerStub {
        var stub = ServerStub()
        stub.url = url
        set(&stub)
        return stub
    }

    private static func request(_ url: String, _ method: String = "GET", body: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private static func line(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> String {
        if let error { return "\((error as? URLError)?.code.rawValue ?? 0)" }
        let http = response as? HTTPURLResponse
        let text = data.map { $0.count > 100 ? "\($0.count) bytes" : String(decoding: $0, as: UTF8.self) } ?? "nothing"
        return "\(http?.statusCode ?? 0) \(http?.mimeType ?? "") \(text)"
    }

    private static let sessions: [@Sendable () -> URLSession] = [
        { .shared },
        { URLSession(configuration: .default) },
        { URLSession(configuration: .ephemeral) },
        { URLSession(configuration: .default, delegate: nil, delegateQueue: .main) },
    ]

    @Test(arguments: sessions.indices)
    func answerReachesItsDeviceAtItsTime(session: Int) throws {
        let log = log, session = Self.sessions[session]
        let verify = try Self.request("https://api.example.com/verify", "POST", body: "receipt")
        let other = try Self.request("https://api.example.com/verify?why")
        #expect(
            device.run {
                let start = Date()
                let session = session()
                session.dataTask(with: verify) { data, response, error in
                    log.add("\(Self.line(data, response, error)) after \(Date().timeIntervalSince(start).rounded()) s")
                    session.dataTask(with: other) { log.add(Self.line($0, $1, $2)) }.resume()
                }.resume()
                log.add("asked")
            })
        #expect(
            log.lines == ["asked", #"200 application/json {"status":0} after 2.0 s"#, "404 text/plain nothing here"])
    }

    @Test func failedRequestsReturnURLErrors() throws {
        let log = log
        let urls = [
            "https://down.example.com", "https://silent.example.com", "https://nobody.example.com/path?secret",
            "https://large.example.com",
        ]
        let requests = try urls.map { try Self.request($0) }
        for request in requests {
            #expect(
                device.run { URLSession.shared.dataTask(with: request) { log.add(Self.line($0, $1, $2)) }.resume() })
        }
        #expect(
            log.lines == [
                "503 application/json ", "\(URLError.timedOut.rawValue)", "\(URLError.cannotFindHost.rawValue)",
                "200 application/json 1000000 bytes",
            ])
    }

    // Remarks are of the process: a run of another test may take them first.
    @Test func requestToAnUnknownServerIsRemarkedOn() throws {
        let request = try Self.request("https://nobody.example.com/path?secret")
        var names: Set<String> = []
        for _ in 1...100 where !names.contains("https://nobody.example.com/path") {
            #expect(device.run { URLSession.shared.dataTask(with: request) { _, _, _ in }.resume() })
            for remark in ClientRemarks.take().remarks where remark.kind == .server {
                names.formUnion(remark.subjects.map(\.name))
            }
        }
        #expect(names.contains("https://nobody.example.com/path"), "\(names)")
        #expect(!names.contains { $0.contains("secret") }, "\(names)")
    }

    // The server has answered, and `URLSession` says by its own code that the connection broke.
    @Test(arguments: sessions.indices)
    func resetConnectionIsLostAtOnce(session: Int) throws {
        let log = log, session = Self.sessions[session]
        let verify = try Self.request("https://api.example.com/verify", "POST", body: "receipt")
        var link = LinkConditions()
        link[.reset] = .all
        let device = ProgramDevice(servers: Self.servers, link: link)
        #expect(
            device.run {
                let start = Date()
                session().dataTask(with: verify) { data, response, error in
                    log.add("\(Self.line(data, response, error)) after \(Date().timeIntervalSince(start).rounded()) s")
                }.resume()
            })
        #expect(log.lines == ["\(URLError.networkConnectionLost.rawValue) after 2.0 s"])
        #expect(device.device.counts[.reset] == 1)
    }

    @Test func sessionServesTasksAndDelegates() throws {
        let log = log
        let verify = try Self.request("https://api.example.com/verify", "POST", body: "receipt")
        #expect(
            device.run {
                Task { @MainActor in
                    do {
                        let (data, response) = try await URLSession.shared.data(for: verify)
                        log.add(Self.line(data, response, nil))
                        let (more, upload) = try await URLSession.shared.upload(for: verify, from: Data("body".utf8))
                        log.add(Self.line(more, upload, nil))
                    } catch {
                        log.add(Self.line(nil, nil, error))
                    }
                    MainActor.preconditionIsolated()
                }
            })
        #expect(
            device.run {
                let watcher = Watcher(log)
                URLSession(configuration: .default, delegate: watcher, delegateQueue: nil).dataTask(with: verify)
                    .resume()
            })
        let answer = #"200 application/json {"status":0}"#
        #expect(log.lines == [answer, answer, "response 200", #"data {"status":0}"#, "end nil"])
    }

    private final class Watcher: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private let log: Log

        init(_ log: Log) { self.log = log }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            log.add("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.add("data \(String(decoding: data, as: UTF8.self))")
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.add("end \(error.map { "\($0)" } ?? "nil")")
            session.finishTasksAndInvalidate()
        }
    }

    // Its request is an effect; nobody hears the answer that comes after its end.
    @Test func requestEndsWithItsApp() throws {
        let log = log
        let verify = try Self.request("https://api.example.com/verify", "POST", body: "receipt")
        #expect(
            device.run {
                let session = URLSession.shared
                session.dataTask(with: verify) { _, _, _ in log.add("told") }.resume()
                DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [device] in device.device.crash() }
            })
        #expect(log.lines.isEmpty)
        _ = device.device.launch()
        #expect(device.run { URLSession.shared.dataTask(with: verify) { _, _, _ in log.add("next") }.resume() })
        #expect(log.lines == ["next"])
    }

    @Test func cancelledRequestReturnsTheCancelledError() throws {
        let log = log
        let verify = try Self.request("https://api.example.com/verify", "POST", body: "receipt")
        #expect(
            device.run {
                let task = URLSession.shared.dataTask(with: verify) { log.add(Self.line($0, $1, $2)) }
                task.resume()
                DispatchQueue.main.asyncAfter(deadline: .now() + 1) { task.cancel() }
            })
        #expect(log.lines == ["\(URLError.cancelled.rawValue)"])
    }
}
