// Whom violations were found of: each user once, however many devices, violations and processes there are.

import Metrics
import Testing

@testable import Judgement

@Suite struct AffectedUsersTests {
    @Test func aUserCountsOnce() {
        var users = AffectedUsers()
        for rule in [AuditRule.lostPurchase, .lostPurchase, .answeredTwice] { users.note(3, rule) }
        users.note(4, .lostPurchase)
        #expect(users.count == 2 && users.byRule == [.lostPurchase: 2, .answeredTwice: 1])
    }

    @Test func nothingIsLostOnTheWay() throws {
        var (worker, whole) = (AffectedUsers(), AffectedUsers())
        worker.note(1, .lostPurchase)
        whole.note(0, .answeredTwice)
        var packer = Packer()
        worker.unload(into: &packer)
        #expect(worker.count == 0 && worker.byRule.isEmpty)
        // More of the same user comes after that: told already.
        worker.note(1, .lostPurchase)
        worker.note(2, .lostPurchase)
        worker.unload(into: &packer)
        var unpacker = Unpacker(packer.bytes[...])
        for _ in 0..<2 { whole.merge(try AffectedUsers(&unpacker)) }
        #expect(whole.count == 3 && whole.byRule == [.lostPurchase: 2, .answeredTwice: 1])
    }
}
