// Servers that a scenario describes: what they answer is known beforehand.
// Guard: confined to the store's lane, except what says otherwise. Devices reach them through their link only.

internal import Foundation

/// What a server answers to requests of one kind, and how well.
package struct ServerStub: Sendable, Equatable {
    /// The address; with a star at its end, all that begin as it does.
    package var url = ""
    /// HTTP's, in capitals; nil: any.
    package var method: String?
    /// HTTP's: 200 is well.
    package var status = 200
    package var contentType = "application/json"
    package var body = ""
    /// From a request's arrival to its answer; the network's latency comes on top.
    package var latency: Distribution = .constant(0)
    package var outages: [StoreOutage] = []
    /// Share of the requests that are answered with an error.
    package var errors: Share = .none
    /// Under the wall clock the server itself is asked, and what it says is the answer.
    package var isReal = false

    package init() {}

    /// Whether it answers such a request. What follows a question mark is looked at only if it is written.
    func answers(_ request: WebRequest) -> Bool {
        if let method, method != request.method { return false }
        if url.hasSuffix("*") { return request.url.hasPrefix(url.dropLast()) }
        return request.url == url || request.url.hasPrefix(url + "?")
    }
}

/// Those of one cell.
final class StubServers {
    private unowned(unsafe) let store: AppStore
    private let stubs: [ServerStub]
    private let seed: UInt64
    private var streams: [Int: RandomStream] = [:]

    init(store: AppStore, stubs: [ServerStub], seed: UInt64) {
        self.store = store
        self.stubs = stubs
        self.seed = seed
    }

    /// Handles a request that has arrived. `reply` is called on the store's lane, at most once.
    /// A `healed` request belongs to the final settling: no outage, no error, no delay.
    func handle(
        _ request: WebRequest, user: Int, healed: Bool, reply: @escaping @Sendable (ReceiptValidator.Reply) -> Void
    ) {
        // The first that answers such requests.
        guard let stub = stubs.first(where: { $0.answers(request) }) else { return reply(.silence) }
        let lane = store.lane
        let well = WebAnswer(status: stub.status, contentType: stub.contentType, body: Data(stub.body.utf8))
        let isReal = stub.isReal && lane is WallLane
        let answer: @Sendable () -> Void = {
            if isReal { RealServers.ask(request, on: lane, reply: reply) } else { reply(.answer(well)) }
        }
        if healed { return answer() }
        var stream = streams[user] ?? newStream(user)
        var delay = stub.latency.drawSpan(&stream)
        let fails = stream.hits(stub.errors)
        streams[user] = stream
        let now = lane.now
        switch stub.outages.first(where: { $0.covers(now) })?.answer {
        case .error: return reply(.answer(.unavailable))
        case .timeout: return reply(.silence)
        case .slow(let by): delay = delay + by
        case nil: break
        }
        lane.schedule(after: delay) { if fails { reply(.answer(.unavailable)) } else { answer() } }
    }

    private func newStream(_ user: Int) -> RandomStream {
        RandomStream(seed: seed, user: store.streamNumber(ofAccount: user), purpose: .servers)
    }
}

extension AppStore {
    /// Whether there is a server at the address. Any thread.
    func hasServer(for request: WebRequest) -> Bool {
        request.isForValidator || stubs.contains { $0.answers(request) }
    }

    /// On the store's lane.
    func serve(
        _ request: WebRequest, user: Int, healed: Bool, reply: @escaping @Sendable (ReceiptValidator.Reply) -> Void
    ) {
        if request.isForValidator {
            validator.handle(request, user: user, healed: healed, reply: reply)
        } else {
            servers.handle(request, user: user, healed: healed, reply: reply)
        }
    }
}
