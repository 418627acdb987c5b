// Requests that a scenario sends on to servers of the real world, here to one of this process.

import ClientKit
import Foundation
import FoundationNetworking
import RuntimePrograms
import Testing

@testable import Simulation

@Suite(.enabled(if: AppRuntime.isInForce)) struct RealServerTests {
    init() { FoundationHooks.install() }

    private static func stubs(_ server: EchoServer) -> [ServerStub] {
        ["/real/*", "/real-but-down"].map { path in
            var stub = ServerStub()
            stub.url = server.address + path
            stub.body = "as written"
            stub.isReal = true
            if path == "/real-but-down" {
                stub.conditions.outages = [StoreOutage(start: .start, duration: .seconds(1_000), answer: .error)]
            }
            return stub
        }
    }

    private static func request(_ address: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = "PUT"
        request.httpBody = Data("receipt".utf8)
        request.setValue("of the app", forHTTPHeaderField: "X-Question")
        return request
    }

    private static func line(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> String {
        if let error { return "\((error as? URLError)?.code.rawValue ?? 0)" }
        let http = response as? HTTPURLResponse
        let header = http?.value(forHTTPHeaderField: "X-Answer") ?? "none"
        return "\(http?.statusCode ?? 0) \(header) \(data.map { String(decoding: $0, as: UTF8.self) } ?? "")"
    }

    @Test func realServerAnswersUnderTheWallClock() throws {
        let server = try EchoServer(answers: 1)
        let (devices, log) = (WallDevices(1, servers: Self.stubs(server)), Log())
        let request = try Self.request(server.address + "/real/verify?why")
        let isQuiet = devices.run { _ in
            URLSession.shared.dataTask(with: request) { log.add(Self.line($0, $1, $2)) }.resume()
        }
        #expect(isQuiet)
        #expect(log.lines == ["201 of the server PUT /real/verify?why, of the app, receipt"])
    }

    @Test func onlyRealServersAreReached() throws {
        let server = try EchoServer(answers: 0)
        let (devices, log) = (WallDevices(1, servers: Self.stubs(server)), Log())
        let requests = try ["/other", "/real-but-down"].map { try Self.request(server.address + $0) }
        for request in requests {
            let isQuiet = devices.run { _ in
                URLSession.shared.dataTask(with: request) { log.add(Self.line($0, $1, $2)) }.resume()
            }
            #expect(isQuiet)
        }
        #expect(log.lines == ["\(URLError.cannotFindHost.rawValue)", "503 none "])
    }

    // Nobody listens there any more.
    @Test func missingRealServerGivesACannotConnectError() throws {
        let server = try EchoServer(answers: 0)
        let (devices, log) = (WallDevices(1, servers: Self.stubs(server)), Log())
        let request = try Self.request(server.address + "/real/verify")
        server.close()
        let isQuiet = devices.run { _ in
            URLSession.shared.dataTask(with: request) { log.add(Self.line($0, $1, $2)) }.resume()
        }
        #expect(isQuiet)
        #expect(log.lines == ["\(URLError.cannotConnectToHost.rawValue)"])
    }

    @Test func virtualClockAnswersForARealServerAsWritten() throws {
        let server = try EchoServer(answers: 0)
        let (device, log) = (ProgramDevice(servers: Self.stubs(server)), Log())
        let request = try Self.request(server.address + "/real/verify")
        let isQuiet = device.run {
            URLSession.shared.dataTask(with: request) { log.add(Self.line($0, $1, $2)) }.resume()
        }
        #expect(isQuiet)
        #expect(log.lines == ["200 none as written"])
    }
}

/// Answers with what it was asked, on a port of this machine's own, and closes each connection.
private final class EchoServer: @unchecked Sendable {  // Guard: set before its thread begins.
    private let listener: Int32
    let address: String

    init(answers: Int) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
        if answers == 0 { return }
        Thread {
            for _ in 0..<answers { Self.answer(accept(listener, nil, nil)) }
        }.start()
    }

    deinit { close() }

    func close() { _ = shutdown(listener, Int32(SHUT_RDWR)) }

    private static func answer(_ connection: Int32) {
        defer { _ = Glibc.close(connection) }
        var asked = ""
        while !asked.hasSuffix("receipt") {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(connection, &bytes, bytes.count)
            if count <= 0 { return }
            asked += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        let lines = asked.components(separatedBy: "\r\n")
        let header = lines.first { $0.hasPrefix("X-Question: ") }?.dropFirst("X-Question: ".count) ?? "no header"
        let body = "\(lines[0].replacing(" HTTP/1.1", with: "")), \(header), \(lines[lines.count - 1])"
        let answer =
            "HTTP/1.1 201 Created\r\nX-Answer: of the server\r\nContent-Type: text/plain\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
    }
}
