// The servers on the web that apps of one cell can reach: the receipt validator, those that a scenario describes, and real ones.
// Guard: confined to the store's lane, except what says otherwise. Devices reach them through their link; nothing in
// `handle` is a device's, so that the store may ask too.

final class WebServers {
    // Unsafe: the store owns its servers, which are not retained elsewhere.
    private unowned(unsafe) let store: SimulatedAppStore
    private lazy var validator = ReceiptValidator(store: store)
    private let validatorConditions: ServerConditions
    private let stubs: [ServerStub]
    private let seed: UInt64
    /// Of each account: the validator's chance, and that of all other servers.
    private var validatorStreams: [Int: RandomStream] = [:]
    private var stubStreams: [Int: RandomStream] = [:]

    init(store: SimulatedAppStore, validator conditions: ServerConditions, stubs: [ServerStub], seed: UInt64) {
        self.store = store
        validatorConditions = conditions
        self.stubs = stubs
        self.seed = seed
    }

    /// Whether there is a server at the address. Any thread.
    func hasServer(for request: WebRequest) -> Bool {
        request.isForValidator || stubs.contains { $0.answers(request) }
    }

    /// Handles a request that has arrived. `reply` is called on the store's lane, at most once: a server of the real world
    /// answers from outside the timeline, when it does.
    /// A `healed` request belongs to the final settling: no outage, no error, no delay.
    func handle(_ request: WebRequest, user: Int, healed: Bool, reply: @escaping @Sendable (WebReply) -> Void) {
        let stub: ServerStub?
        if request.isForValidator {
            // It reads the account's books. Closed: its answer has no recipient.
            if store.account(user) == nil { return }
            stub = nil
        } else {
            // The first that answers such requests.
            stub = stubs.first { $0.answers(request) }
            if stub == nil { return reply(.silence) }
        }
        if healed { return answer(request, stub, user, reply) }
        let conditions = stub?.conditions ?? validatorConditions
        var (delay, fails) = draw(conditions, isValidator: stub == nil, user)
        let now = store.lane.now
        switch conditions.outages.first(where: { $0.covers(now) })?.answer {
        case .error: return reply(.answer(.unavailable))
        case .timeout: return reply(.silence)
        case .slow(let by): delay = delay + by
        case nil: break
        }
        store.lane.schedule(after: delay) { [self] in
            if fails { reply(.answer(.unavailable)) } else { answer(request, stub, user, reply) }
        }
    }

    private func answer(
        _ request: WebRequest, _ stub: ServerStub?, _ user: Int, _ reply: @escaping @Sendable (WebReply) -> Void
    ) {
        guard let stub else { return reply(.answer(validator.answer(to: request, user: user))) }
        guard stub.isReal, store.lane is WallLane else { return reply(.answer(stub.answer)) }
        RealServers.ask(request, on: store.lane, reply: reply)
    }

    private func draw(_ conditions: ServerConditions, isValidator: Bool, _ user: Int) -> (delay: Span, fails: Bool) {
        var stream =
            (isValidator ? validatorStreams : stubStreams)[user]
            ?? RandomStream(
                seed: seed, user: store.streamNumber(ofAccount: user), purpose: isValidator ? .validator : .servers)
        let drawn = (conditions.latency.drawSpan(&stream), stream.hits(conditions.errors))
        if isValidator { validatorStreams[user] = stream } else { stubStreams[user] = stream }
        return drawn
    }
}
