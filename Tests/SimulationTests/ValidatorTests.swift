// The receipt validator: what it says of receipts, how it fails, and the way there and back.

import DeviceSupport
import Foundation
import Testing

@testable import Simulation

@Suite struct ValidatorTests {
    /// What came back from a post, and when.
    private final class Mailbox {
        var results: [(at: Instant, result: Result<WebAnswer, WebFailure>)] = []

        var statuses: [Int] {
            results.map { entry in
                switch entry.result {
                case .success(let answer): answer.status
                case .failure(let failure): failure.rawValue
                }
            }
        }

        func answer(_ place: Int = 0) throws -> ValidatorAnswer.Contents {
            let body = try results[place].result.get().body
            return try JSONDecoder().decode(ValidatorAnswer.self, from: body).data
        }
    }

    private func receipt(_ identifiers: [String]) -> Data {
        var receipt = ReceiptAttributes()
        for identifier in identifiers {
            var purchase = ReceiptAttributes()
            purchase.add(.transactionIdentifier, identifier)
            receipt.add(.purchase, purchase)
        }
        return Data(SignedData.signed(receipt.encoded))
    }

    /// With another signature.
    private func altered(_ receipt: Data) -> Data {
        var altered = receipt
        altered[receipt.endIndex - 1] ^= 1
        return altered
    }

    private func body(transaction identifier: String, type: String = "ios-appstore") throws -> Data {
        var request = ValidatorRequest(
            bundleIdentifier: AppIdentity.standardBundleIdentifier, receipt: Data(), applicationUsername: nil)
        (request.transaction.appStoreReceipt, request.transaction.transactionId) = (nil, identifier)
        request.transaction.type = type
        return try JSONEncoder().encode(request)
    }

    private func body(
        _ receipt: Data, bundle: String = AppIdentity.standardBundleIdentifier, username: String? = nil
    ) throws -> Data {
        try JSONEncoder().encode(
            ValidatorRequest(bundleIdentifier: bundle, receipt: receipt, applicationUsername: username))
    }

    @discardableResult
    private func post(
        _ body: Data, from bench: TestDevice, to url: String = SimulatedAppStore.validatorURL,
        into mailbox: Mailbox = Mailbox()
    ) -> Mailbox {
        let timeline = bench.timeline
        // However many are posted at once: somebody asks for each.
        bench.process.personActed()
        bench.device.post(WebRequest(url: url, body: body), from: bench.process) {
            mailbox.results.append((timeline.now, $0))
        }
        return mailbox
    }

    /// Posts the receipt that the device has now, as the books list it.
    @discardableResult
    private func validate(_ bench: TestDevice, into mailbox: Mailbox = Mailbox(), username: String? = nil) throws
        -> Mailbox
    {
        let identifiers = bench.device.receipt?.purchases.map(\.transactionIdentifier) ?? []
        return post(try body(receipt(identifiers), username: username), from: bench, into: mailbox)
    }

    // MARK: Receipts

    @Test func validatorAnswersWithTheReceiptsPurchases() throws {
        let bench = TestDevice { $0.link.latency = .span(.milliseconds(40)) }
        bench.launch()
        bench.buy(Goods.coins, quantity: 3)
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        let asked = bench.timeline.now
        let mailbox = try validate(bench)
        bench.runUntilQuiet()
        #expect(mailbox.results.map(\.at) == [asked + .milliseconds(80)])
        let contents = try mailbox.answer()
        let transactions = bench.statement().transactions
        #expect(contents.collection.map(\.id) == [Goods.identifier(Goods.coins), Goods.identifier(Goods.hat)])
        #expect(contents.collection.map(\.quantity) == [3, 1])
        #expect(
            contents.collection.map(\.purchaseDate)
                == transactions.map { TimelineCalendar.simulated.date(of: $0.at).milliseconds })
        #expect(contents.collection.allSatisfy { $0.expiryDate == nil && !$0.isExpired })
        #expect(contents.ineligibleForIntroductoryPrice.isEmpty)
    }

    @Test func validatorLooksUpOneTransaction() throws {
        let bench = TestDevice()
        bench.launch()
        bench.buy(Goods.coins)
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        let second = try #require(bench.device.receipt).purchases[1].transactionIdentifier
        let known = post(try body(transaction: second), from: bench)
        let unknown = post(try body(transaction: "12"), from: bench)
        bench.runUntilQuiet()
        #expect(try known.answer().collection.map(\.id) == [Goods.identifier(Goods.hat)])
        #expect(unknown.statuses == [200])
        #expect(try unknown.answer().collection.isEmpty)
    }

    // As the request and the answer are written down for clients.
    @Test func validatorFormatMatchesItsDocumentation() throws {
        let request = try #require(
            try JSONSerialization.jsonObject(with: try body(receipt([]), username: "ann")) as? [String: Any])
        #expect(request["id"] as? String == AppIdentity.standardBundleIdentifier)
        #expect(request["type"] as? String == "application")
        #expect(request["device"] is [String: Any])
        let transaction = try #require(request["transaction"] as? [String: Any])
        #expect(transaction["type"] as? String == "ios-appstore")
        #expect(transaction["appStoreReceipt"] as? String == receipt([]).base64EncodedString())
        #expect((request["additionalData"] as? [String: Any])?["applicationUsername"] as? String == "ann")

        let bench = TestDevice()
        bench.launch()
        bench.buy(Goods.pro)
        bench.runUntilQuiet()
        let mailbox = try validate(bench)
        bench.runUntilQuiet()
        let answer = try JSONSerialization.jsonObject(with: try mailbox.results[0].result.get().body)
        let data = try #require((answer as? [String: Any])?["data"] as? [String: Any])
        let purchase = try #require((data["collection"] as? [[String: Any]])?.first)
        #expect(Set(purchase.keys) == ["id", "purchaseDate", "quantity", "expiryDate", "isExpired"])
        #expect(data["ineligible_for_intro_price"] is [Any])
    }

    // Somebody else's transactions, and invented ones, are not on the account's books.
    @Test func validatorLeavesOutUnknownTransactions() throws {
        let bench = TestDevice { $0.users = 2 }
        for device in bench.devices { bench.launch(on: device) }
        bench.buy(Goods.hat, on: bench.devices[1])
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let foreign = try #require(bench.devices[1].receipt).purchases.map(\.transactionIdentifier)
        let own = try #require(bench.device.receipt).purchases.map(\.transactionIdentifier)
        let mailbox = post(try body(receipt(foreign + ["12", "no number"] + own)), from: bench)
        bench.runUntilQuiet()
        #expect(try mailbox.answer().collection.map(\.id) == [Goods.identifier(Goods.coins)])
    }

    enum Nonsense: CaseIterable { case noJSON, noReceipt, noBase64, altered, noNumber, otherType, otherBundle }

    @Test(arguments: Nonsense.allCases)
    func validatorRefusesInvalidReceipts(_ nonsense: Nonsense) throws {
        let bench = TestDevice()
        bench.launch(observing: false)
        let sent: Data =
            switch nonsense {
            case .noJSON: Data("receipt".utf8)
            case .noReceipt: try body(Data("receipt".utf8))
            case .noBase64:
                Data(String(decoding: try body(Data("?".utf8)), as: UTF8.self).replacing("Pw==", with: "*").utf8)
            case .altered: try body(altered(receipt([])))
            case .noNumber: try body(transaction: "one")
            case .otherType: try body(transaction: "1", type: "android-playstore")
            case .otherBundle: try body(receipt([]), bundle: "com.example.other")
            }
        let mailbox = post(sent, from: bench)
        bench.runUntilQuiet()
        #expect(mailbox.statuses == [400])
    }

    @Test func unknownAddressCannotBeFound() throws {
        let bench = TestDevice()
        bench.launch(observing: false)
        let mailbox = post(try body(receipt([])), from: bench, to: "https://example.com/")
        bench.runUntilQuiet()
        #expect(mailbox.statuses == [WebFailure.cannotFindHost.rawValue])
    }

    // The receipt on the device is a month old; the validator asks the store.
    @Test func validatorAnswersWithTheCurrentSubscription() throws {
        let bench = TestDevice {
            $0.store.timeRate = .day(.seconds(1))
        }
        bench.launch()
        bench.buy(Goods.pro)
        bench.run(for: .seconds(10))
        let old = try #require(bench.device.receipt).purchases.map(\.transactionIdentifier)
        #expect(old.count == 1)
        bench.run(for: .seconds(25))
        let mailbox = post(try body(receipt(old)), from: bench)
        bench.run(for: .seconds(1))
        let contents = try mailbox.answer()
        #expect(contents.collection.count == 2)
        #expect(contents.collection.map(\.isExpired) == [true, false])
        let expiries = contents.collection.compactMap(\.expiryDate)
        #expect(expiries.count == 2 && expiries[1] - expiries[0] == 30_000)
    }

    @Test func validatorReportsARefundedPurchaseAsExpired() throws {
        let bench = TestDevice()
        bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        bench.store.perform(.refund(Goods.hat), user: 0)
        bench.runUntilQuiet()
        let mailbox = try validate(bench)
        bench.runUntilQuiet()
        #expect(try mailbox.answer().collection.map(\.isExpired) == [true])
    }

    // MARK: The webhook

    @Test func validatorNotifiesTheServerOncePerPurchase() throws {
        let bench = TestDevice { $0.validator.latency = .span(.seconds(1)) }
        bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        try validate(bench, username: "ann")
        bench.runUntilQuiet()
        bench.buy(Goods.coins, quantity: 2)
        bench.runUntilQuiet()
        try validate(bench, username: "ann")
        bench.runUntilQuiet()
        let statement = bench.statement()
        #expect(statement.notifications.map(\.product) == [Goods.hat, Goods.coins])
        #expect(statement.notifications.map(\.quantity) == [1, 2])
        #expect(statement.notifications.map(\.transaction) == statement.transactions.map(\.id))
        #expect(statement.notifications.allSatisfy { $0.applicationUsername == "ann" })
        #expect(statement.notifications.map(\.at) == [.start + .seconds(1), .start + .seconds(2)])
    }

    // MARK: Failing

    struct Failing: Sendable {
        let answer: StoreOutage.Answer
        let status: Int
        let after: Span

        static let all = [
            Failing(answer: .error, status: 503, after: .zero),
            Failing(answer: .timeout, status: -1001, after: .seconds(30)),
            Failing(answer: .slow(by: .seconds(7)), status: 200, after: .milliseconds(7_500)),
        ]
    }

    @Test(arguments: Failing.all)
    func validatorOutageCoversItsTime(_ failing: Failing) throws {
        let bench = TestDevice {
            $0.validator.latency = .span(.milliseconds(500))
            $0.validator.outages = [
                StoreOutage(start: .start + .seconds(10), duration: .seconds(5), answer: failing.answer)
            ]
        }
        bench.launch(observing: false)
        let before = try validate(bench)
        bench.run(for: .seconds(10))
        let during = try validate(bench)
        bench.run(for: .seconds(5))
        let after = try validate(bench)
        bench.runUntilQuiet()
        #expect(before.statuses == [200] && before.results[0].at == .start + .milliseconds(500))
        #expect(during.statuses == [failing.status])
        #expect(during.results[0].at == .start + .seconds(10) + failing.after)
        #expect(after.statuses == [200])
    }

    @Test func validatorFailsInItsShare() throws {
        let bench = TestDevice { $0.validator.errors = .percent(20) }
        bench.launch(observing: false)
        let mailbox = Mailbox()
        for _ in 1...2_000 { try validate(bench, into: mailbox) }
        bench.runUntilQuiet()
        let failed = mailbox.statuses.count { $0 == 503 }
        #expect(mailbox.statuses.count { $0 == 200 } == 2_000 - failed)
        #expect(abs(Double(failed) / 2_000 - 0.2) < 0.03)
    }

    // The final settling: no outage, no error, no delay, nothing lost.
    @Test func healedValidatorAlwaysAnswers() throws {
        let bench = TestDevice {
            $0.link[.lostRequest] = .percent(50)
            $0.link[.lostAnswer] = .percent(50)
            $0.validator.errors = .all
            $0.validator.latency = .span(.hours(1))
            $0.validator.outages = [StoreOutage(start: .start, duration: .hours(9), answer: .timeout)]
        }
        bench.device.beginSettling()
        bench.launch(observing: false)
        let mailbox = Mailbox()
        for _ in 1...100 { try validate(bench, into: mailbox) }
        bench.runUntilQuiet()
        #expect(mailbox.statuses == Array(repeating: 200, count: 100))
        #expect(bench.timeline.now == .start)
    }

    // Chance is the user's own: what others send changes nothing for them.
    @Test func validatorsChanceIsPerUser() throws {
        func times(_ others: Int) throws -> [Instant] {
            let bench = TestDevice {
                $0.users = 3
                $0.validator.latency = .uniform(0, 1_000_000_000)
                $0.validator.errors = .percent(30)
            }
            for device in bench.devices { bench.launch(observing: false, on: device) }
            let mailbox = Mailbox()
            for round in 1...20 {
                for device in bench.devices.dropFirst().prefix(others) {
                    let request = WebRequest(url: SimulatedAppStore.validatorURL, body: try body(receipt([])))
                    let process = try #require(device.process)
                    for _ in 0..<round % 3 { device.post(request, from: process) { _ in } }
                }
                try validate(bench, into: mailbox)
            }
            bench.runUntilQuiet()
            return mailbox.results.map(\.at)
        }
        #expect(try times(0) == times(2))
    }

    // MARK: The way there and back

    @Test func lostPostNeverArrives() throws {
        let bench = TestDevice { $0.link[.lostRequest] = .all }
        bench.launch(observing: false)
        let mailbox = try validate(bench)
        bench.runUntilQuiet()
        #expect(mailbox.statuses == [-1001])
        #expect(bench.device.counts[.lostRequest] == 1)
        // Those are requests to the App Store.
        #expect(bench.device.counts.requests == 0 && bench.device.requestFailures.isEmpty)
    }

    @Test(arguments: [(FaultKind.lostAnswer, -1001), (.reset, -1005)])
    func postWithALostAnswerIsStillProcessed(fault: FaultKind, code: Int) throws {
        let bench = TestDevice { $0.owned = [Goods.hat] }
        bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let listed = try #require(bench.device.receipt).purchases.map(\.transactionIdentifier)
        let lossy = TestDevice {
            $0.owned = [Goods.hat]
            $0.link[fault] = .all
        }
        lossy.launch()
        lossy.buy(Goods.coins)
        lossy.runUntilQuiet()
        let posted = lossy.timeline.now
        let mailbox = post(try body(receipt(listed)), from: lossy)
        lossy.runUntilQuiet()
        #expect(mailbox.statuses == [code])
        // Only silence is waited for.
        #expect((mailbox.results[0].at == posted) == (fault == .reset))
        #expect(lossy.statement().notifications.map(\.product) == [Goods.hat, Goods.coins])
    }

    @Test func offlineDevicesPostFailsAtOnce() throws {
        let bench = TestDevice { $0.link.offline = OfflineSpells(share: .all, duration: .span(.seconds(1))) }
        bench.launch(observing: false)
        let mailbox = try validate(bench)
        #expect(mailbox.results.isEmpty)
        bench.runUntilQuiet()
        #expect(mailbox.statuses == [-1009] && mailbox.results[0].at == .start)
    }

    @Test func deadProcessSendsNoPostAndReceivesNoAnswer() throws {
        let bench = TestDevice { $0.link.latency = .span(.milliseconds(100)) }
        bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        let mailbox = try validate(bench)
        let dead = bench.process
        bench.device.crash()
        let request = WebRequest(url: SimulatedAppStore.validatorURL, body: try body(receipt([])))
        bench.device.post(request, from: dead) { mailbox.results.append((.start, $0)) }
        bench.runUntilQuiet()
        #expect(mailbox.results.isEmpty)
        // What was sent before the crash arrived.
        #expect(bench.statement().notifications.count == 1)
        #expect(bench.device.events.count { $0.event.effect == .httpRequest } == 1)
        #expect(!bench.device.events.contains { if case .postAnswered = $0.event { true } else { false } })
    }

    // An effect like any other: a crash just before it, and it never happened.
    @Test func crashMayComeJustBeforeThePost() throws {
        let bench = TestDevice { $0.crashFaults = [CrashFault(share: .all, moment: .effect(1))] }
        bench.launch(observing: false)
        let mailbox = try validate(bench)
        bench.runUntilQuiet()
        #expect(bench.device.process == nil && mailbox.results.isEmpty)
        #expect(!bench.device.events.contains { $0.event.effect == .httpRequest })
    }

    @Test func suspendedAppReceivesThePostsAnswerLater() throws {
        let bench = TestDevice { $0.link.latency = .span(.milliseconds(100)) }
        bench.launch(observing: false)
        let mailbox = try validate(bench)
        bench.device.enterBackground()
        bench.run(for: .seconds(5))
        #expect(mailbox.results.isEmpty)
        bench.device.enterForeground()
        #expect(mailbox.statuses == [200] && mailbox.results[0].at == .start + .seconds(5))
    }

    @Test func historyRecordsPostAndAnswer() throws {
        let bench = TestDevice {
            $0.validator.outages = [StoreOutage(start: .start, duration: .hours(1), answer: .error)]
        }
        bench.launch(observing: false)
        try validate(bench)
        bench.runUntilQuiet()
        let events = bench.device.events.map(\.event)
        let post = DeviceEvent.PostNote(effect: 1, to: 0, isForValidator: true)
        #expect(events.contains(.posted(post)) && events.contains(.postAnswered(post, .status(503, bytes: 0))))
        #expect(bench.device.names.addresses[post.address]?.isValidator == true)
    }
}
