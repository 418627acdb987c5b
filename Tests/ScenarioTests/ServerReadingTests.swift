// The servers of a scenario, from the file to the values.

import Scenario
import Simulation
import Testing

@Suite struct ServerReadingTests {
    private func with(_ servers: String) -> String { small(extra: "http: \(servers)") }

    @Test func readerReadsEveryKeyOfHTTP() throws {
        let servers = try scenario(
            with(
                #"[{url: "https://a.example.com/v", method: POST, status: 201, content_type: text/plain, body: good, "#
                    + "latency: 50ms, errors: 2%, outages: [{at: 3s, for: 4s, answer: error}]}, "
                    + "{url: http://b.example.com/*, real: true}]")
        ).http
        var first = ServerStub()
        first.url = "https://a.example.com/v"
        first.method = "POST"
        first.status = 201
        first.contentType = "text/plain"
        first.body = "good"
        first.conditions.latency = .constant(50_000_000)
        first.conditions.errors = .percent(2)
        first.conditions.outages = [StoreOutage(start: .start + .seconds(3), duration: .seconds(4), answer: .error)]
        var second = ServerStub()
        second.url = "http://b.example.com/*"
        second.isReal = true
        #expect(servers == [first, second])
        #expect(try scenario(small()).http.isEmpty)
    }

    @Test(arguments: [
        ("[]", "9:7: the list of servers in http is empty"),
        ("{url: https://a.example.com}", "9:7: expected a list of servers in http, found"),
        ("[{status: 200}]", "9:8: missing key 'url' in http[0] | add 'url: https://api.example.com/verify'"),
        (
            "[{url: api.example.com}]",
            "9:14: 'api.example.com' in http[0].url is not a server's address | write an address such as https://api.example.com/verify"
        ),
        ("[{url: https://}]", "9:14: 'https://' in http[0].url is not a server's address"),
        (
            "[{url: https://a.example.com, method: post}]",
            "9:45: 'post' in http[0].method is not an HTTP method | write it in capital letters, such as POST"
        ),
        (
            #"[{url: https://a.example.com, content_type: "a\nb"}]"#,
            "9:51: 'a b' in http[0].content_type is not a content type | write a type such as application/json"
        ),
        (
            "[{url: https://a.example.com, status: 99}]",
            "9:45: '99' is out of range in http[0].status | a whole number from 100 to 599"
        ),
        (
            "[{url: https://a.example.com, answer: 1}]",
            "9:37: unknown key 'answer' in http[0] | keys here: url, method,"
        ),
    ])
    func readerReportsImpossibleServers(_ servers: String, _ problem: String) {
        let found = brief(problems(with(servers)))
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }
}
