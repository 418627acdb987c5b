// What came of a trial, as bytes.
// Values; any thread.

import Files
import Judgement
import Simulation

extension Packer {
    mutating func put(_ outcome: TrialOutcome) {
        put(plain: outcome.rules)
        put(outcome.faults.count)
        for fault in outcome.faults { put(fault) }
        put(outcome.length)
        put(outcome.places.count)
        for place in outcome.places { put(place) }
        put(plain: outcome.happened.map(\.self))
        put(plain: outcome.choices)
        put(outcome.isJudged)
        put(outcome.findings.count)
        for finding in outcome.findings { put(finding) }
        put(outcome.stories.count)
        for story in outcome.stories { put(story.input) }
    }

    mutating func put(_ fault: RunFault) {
        switch fault {
        case .broken(let fault):
            put(0)
            put(plain: fault)
        case .endless: put(1)
        case .standstill: put(2)
        case .strayed(let mishap):
            put(3)
            put(plain: mishap)
        case .stuck(let cell):
            put(4)
            put(cell)
        case .unreadable(let problem):
            put(5)
            put(problem)
        }
    }

    private mutating func put(_ place: MishapPlace) {
        put(plain: (place.number, place.at, place.device, place.eventCount))
        switch place.kind {
        case .effect(let effect):
            put(0)
            put(plain: effect)
        case .message(.post(let address)):
            put(1)
            put(address)
        case .message(.store(let request)): put(request)
        }
    }

    /// The part of a request that reports show: an offer's signature is left out.
    private mutating func put(_ request: StoreRequest) {
        switch request {
        case .products(let identifiers):
            put(2)
            put(identifiers.count)
            for identifier in identifiers { put(identifier) }
        case .purchase(let order):
            put(3)
            put(plain: order.token)
            put(order.payment.productIdentifier)
            put(order.payment.quantity)
            put(order.payment.applicationUsername)
        case .restore(let name):
            put(4)
            put(name)
        case .sync(let wantsRecord): put(wantsRecord ? 11 : 5)
        case .finish(let id):
            put(6)
            put(plain: id)
        case .redeemOffer: put(7)
        case .refreshReceipt: put(8)
        case .priceConsent: put(9)
        case .synchronise: put(10)
        case .refund(let id):
            put(12)
            put(plain: id)
        }
    }
}

extension TrialOutcome {
    init(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        rules = try unpacker.plains(AuditRule.self)
        for _ in 0..<(try unpacker.count()) { faults.append(try RunFault(&unpacker)) }
        length = try unpacker.number()
        for _ in 0..<(try unpacker.count()) { places.append(try MishapPlace(&unpacker)) }
        happened = Set(try unpacker.plains(Mishap.self))
        choices = try unpacker.plains(EventOrders.Choice.self)
        isJudged = try unpacker.flag()
        for _ in 0..<(try unpacker.count()) { findings.append(try Evidence(&unpacker, catalog)) }
        for _ in 0..<(try unpacker.count()) { stories.append(UserStory(of: try AuditInput(&unpacker, catalog))) }
    }
}

extension RunFault {
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        switch try unpacker.number() {
        case 0: self = .broken(try unpacker.plain(HarnessFault.self))
        case 1: self = .endless
        case 2: self = .standstill
        case 3: self = .strayed(try unpacker.plain(Mishap.self))
        case 4: self = .stuck(cell: try unpacker.number())
        case 5: self = .unreadable(problem: try unpacker.text())
        default: throw TornValue()
        }
    }
}

extension MishapPlace {
    fileprivate init(_ unpacker: inout Unpacker) throws(TornValue) {
        let (number, at, device, eventCount) = try unpacker.plain((Int, Instant, Int, Int).self)
        let kind: Kind
        switch try unpacker.number() {
        case 0: kind = .effect(try unpacker.plain(Effect.self))
        case 1: kind = .message(.post(try WebAddress(&unpacker)))
        case let tag: kind = .message(.store(try StoreRequest(tag, &unpacker)))
        }
        self.init(kind: kind, number: number, at: at, device: device, eventCount: eventCount)
    }
}

extension StoreRequest {
    fileprivate init(_ tag: Int, _ unpacker: inout Unpacker) throws(TornValue) {
        switch tag {
        case 2:
            var identifiers: [String] = []
            for _ in 0..<(try unpacker.count()) { identifiers.append(try unpacker.text()) }
            self = .products(identifiers: identifiers)
        case 3:
            self = .purchase(
                PaymentOrder(
                    token: try unpacker.plain(PaymentToken.self),
                    PaymentValue(
                        productIdentifier: try unpacker.text(), quantity: try unpacker.number(),
                        applicationUsername: try unpacker.optionalText())))
        case 4: self = .restore(applicationUsername: try unpacker.optionalText())
        case 5: self = .sync(wantsRecord: false)
        case 6: self = .finish(try unpacker.plain(TransactionID.self))
        case 7: self = .redeemOffer
        case 8: self = .refreshReceipt
        case 9: self = .priceConsent
        case 10: self = .synchronise
        case 11: self = .sync(wantsRecord: true)
        case 12: self = .refund(try unpacker.plain(TransactionID.self))
        default: throw TornValue()
        }
    }
}
