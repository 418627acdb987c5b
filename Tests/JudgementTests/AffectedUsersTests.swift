// Whom violations were found of: each user once, however many devices, violations and processes there are.

import Files
import Metrics
import Testing

@testable import Judgement

@Suite struct AffectedUsersTests {
    private let lost = FoundRule(.lostPurchase, .critical)
    private let twice = FoundRule(.answeredTwice, .error)

    @Test func affectedUsersCountEachUserOnce() {
        var users = AffectedUsers()
        for rule in [lost, lost, twice] { users.note(3, rule) }
        users.note(4, lost)
        #expect(users.count == 2 && users.byRule == [lost: 2, twice: 1])
    }

    @Test func warningDoesNotCountAsAffectedUser() {
        var users = AffectedUsers()
        let warning = FoundRule(.askedAgain, .warning)
        for rule in [warning, lost, warning] { users.note(1, rule) }
        users.note(2, warning)
        #expect(users.count == 1 && users.byRule == [warning: 2, lost: 1])
    }

    @Test func affectedUsersSurviveUnloadingAndMerging() throws {
        var (worker, whole) = (AffectedUsers(), AffectedUsers())
        worker.note(1, lost)
        whole.note(0, twice)
        var packer = Packer()
        worker.unload(into: &packer)
        #expect(worker.count == 0 && worker.byRule.isEmpty)
        // More of the same user comes after that: told already.
        worker.note(1, lost)
        worker.note(2, lost)
        worker.unload(into: &packer)
        var unpacker = Unpacker(packer.bytes[...])
        for _ in 0..<2 { whole.merge(try AffectedUsers(&unpacker)) }
        #expect(whole.count == 3 && whole.byRule == [lost: 2, twice: 1])
    }
}
