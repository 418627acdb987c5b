// Payments at the App Store: who is charged, who is refused, what is handed out again.

import DeviceSupport
import Simulation
import Testing

@Suite struct BuyingTests {
    // R12: purchasing, then one outcome.
    @Test func paymentIsChargedOnceAndDelivered() throws {
        let bench = TestDevice()
        let recorder = bench.launch()
        let token = bench.buy(Goods.coins, quantity: 3)
        bench.runUntilQuiet()

        #expect(recorder.told.map(\.state) == [.purchasing, .purchased])
        let told = try #require(recorder.told.last)
        let books = bench.statement()
        #expect(books.charges.count == 1)
        #expect(books.charges.first?.product == Goods.coins)
        #expect(books.charges.first?.quantity == 3)
        #expect(books.charges.first?.transaction == told.id)
        #expect(books.transactions.count == 1)
        #expect(books.transactions.first?.payment == token)
        #expect(books.transactions.first?.isCharged == true)
        #expect(books.transactions.first?.finishedAt == nil)
        #expect(books.attempts.map(\.outcome) == [.charged(try #require(told.id))])
    }

    // R11, R12.
    @Test(arguments: [("com.example.unheard-of", 1), ("com.example.coins", 0), ("com.example.coins", 11)])
    func unknownProductOrIllegalQuantityIsInvalid(_ identifier: String, _ quantity: Int) {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.buy(identifier: identifier, quantity: quantity)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .store(.paymentInvalid))
        let books = bench.statement()
        #expect(books.charges.isEmpty && books.transactions.isEmpty)
        #expect(books.attempts.map(\.outcome) == [.refused(.store(.paymentInvalid))])
    }

    // R11.
    @Test(arguments: [1, 10])
    func quantityRangeIncludesItsEnds(_ quantity: Int) {
        let bench = TestDevice()
        bench.launch()
        bench.buy(Goods.coins, quantity: quantity)
        bench.runUntilQuiet()
        #expect(bench.statement().charges.map(\.quantity) == [quantity])
    }

    // R12.
    @Test func disallowedPaymentsAreNotCharged() {
        let bench = TestDevice { $0.buyers.paymentsDisallowed = .all }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .store(.paymentNotAllowed))
        let books = bench.statement()
        #expect(books.isPaymentDisallowed)
        #expect(books.charges.isEmpty)
    }

    @Test func cancelledPaymentIsNotChargedAndDecidedInTime() throws {
        let bench = TestDevice {
            $0.buyers.cancel = .all
            $0.buyers.decideAfter = .span(.seconds(4))
        }
        let recorder = bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .store(.paymentCancelled))
        let books = bench.statement()
        #expect(books.charges.isEmpty)
        let attempt = try #require(books.attempts.first)
        #expect(attempt.outcome == .cancelled)
        let shown = try #require(attempt.sheetAt)
        #expect(attempt.decidedAt == shown + .seconds(4))
    }

    // Refused before the sheet: nobody had anything to decide.
    @Test func refusedPaymentShowsNoSheet() {
        let bench = TestDevice()
        bench.launch()
        bench.buy(identifier: "com.example.unheard-of")
        bench.runUntilQuiet()
        let attempt = bench.statement().attempts.first
        #expect(attempt?.sheetAt == nil && attempt?.decidedAt == nil)
        #expect(attempt?.product == nil)
    }

    @Test(arguments: StoreErrorCode.allCases)
    func configuredErrorRefusesThePayment(_ code: StoreErrorCode) {
        let bench = TestDevice { $0.store.errors.purchase = [.init(error: .store(code), share: .all)] }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .store(code))
        let books = bench.statement()
        #expect(books.charges.isEmpty)
        #expect(books.attempts.map(\.outcome) == [.refused(.store(code))])
    }

    @Test func purchaseErrorsOccurInTheirShares() {
        let bench = TestDevice {
            $0.store.errors.purchase = [
                .init(error: .store(.unknown), share: .percent(20)),
                .init(error: .store(.clientInvalid), share: .percent(50)),
            ]
        }
        let recorder = bench.launch()
        recorder.onEvent = { event in
            guard case .updated(let batch) = event else { return }
            for transaction in batch where transaction.state == .purchased || transaction.state == .failed {
                bench.finish(transaction)
            }
        }
        for _ in 0..<2_000 {
            bench.buy(Goods.coins)
            bench.runUntilQuiet()
        }
        let outcomes = bench.statement().attempts.map(\.outcome)
        // Both shares are of all purchases.
        #expect((330...470).contains(outcomes.count { $0 == .refused(.store(.unknown)) }))
        #expect((900...1_100).contains(outcomes.count { $0 == .refused(.store(.clientInvalid)) }))
    }

    // R23: a regular transaction, no charge, a new identifier, the first one as its original.
    @Test(arguments: [Goods.hat, Goods.boots])
    func storeDoesNotChargeAnOwnedProductAgain(_ product: ProductIndex) throws {
        let bench = TestDevice { $0.owned = [product] }
        let recorder = bench.launch()
        bench.buy(product)
        bench.runUntilQuiet()
        let told = try #require(recorder.told.last)
        #expect(told.state == .purchased)
        let books = bench.statement()
        #expect(books.charges.count == 1)
        #expect(books.transactions.count == 2)
        #expect(told.originalID == books.transactions[0].id)
        #expect(told.id == books.transactions[1].id)
        #expect(!books.transactions[1].isCharged)
        #expect(books.attempts.map(\.outcome) == [.repeated(books.transactions[1].id)])
    }

    // R23, as macOS does it.
    @Test func storeMayDeliverAnOwnedProductAsRestored() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.behaviour.ownedRepurchase = .restored
        }
        let recorder = bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        #expect(recorder.told.map(\.state) == [.purchasing, .restored])
        #expect(bench.statement().charges.count == 1)
    }

    // R21, R23: the store must hear of the finish in whatever state the purchase was told.
    @Test(arguments: [ClientRules.OwnedRepurchase.purchased, .restored])
    func finishedRepurchaseIsNotDeliveredAgain(_ arrival: ClientRules.OwnedRepurchase) throws {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.behaviour.ownedRepurchase = arrival
        }
        let recorder = bench.launch()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        bench.finish(try #require(recorder.told.last))
        bench.runUntilQuiet()
        bench.device.terminate()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.isEmpty)
        #expect(bench.statement().transactions.allSatisfy { $0.finishedAt != nil })
    }

    // R25.
    @Test func activeSubscriptionIsNotSoldAgain() {
        let bench = TestDevice { $0.owned = [Goods.pro] }
        let recorder = bench.launch()
        bench.buy(Goods.pro)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .alreadySubscribed)
        #expect(bench.statement().charges.count == 1)
    }

    @Test(arguments: [Goods.coins, Goods.pass])
    func consumablesAndPassesAreChargedAgain(_ product: ProductIndex) {
        let bench = TestDevice { $0.owned = [product] }
        bench.launch()
        bench.buy(product)
        bench.runUntilQuiet()
        #expect(bench.statement().charges.count == 2)
    }

    // R22, R24: "it will be restored for free": the same identifier once more.
    @Test func unfinishedConsumableIsDeliveredAgainWithoutCharge() throws {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let first = try #require(recorder.told.last)
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let second = try #require(recorder.told.last)
        #expect(second.state == .purchased && second.id == first.id && second.handle != first.handle)
        // One finish takes both off the queue.
        bench.finish(second)
        bench.runUntilQuiet()
        #expect(Set(recorder.removed) == [first.handle, second.handle])
        let books = bench.statement()
        #expect(books.charges.count == 1)
        #expect(books.attempts.map(\.outcome).last == .existing(try #require(first.id)))
    }

    // R24: or nothing is ever heard of it.
    @Test func repurchaseOfAnUnfinishedConsumableMayStaySilent() {
        let bench = TestDevice {
            $0.unfinished = [Goods.coins]
            $0.behaviour.unfinishedRepurchase = .silence
        }
        let recorder = bench.launch()
        bench.runUntilQuiet()
        let before = recorder.events.count
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.events.count == before + 1)
        #expect(recorder.told.last?.state == .purchasing)
        #expect(bench.statement().charges.count == 1)
    }

    // Another product is not held up by it.
    @Test func unfinishedConsumableDoesNotBlockAnotherProduct() {
        let bench = TestDevice { $0.unfinished = [Goods.coins] }
        bench.launch()
        bench.buy(Goods.gems)
        bench.runUntilQuiet()
        #expect(bench.statement().charges.map(\.product) == [Goods.coins, Goods.gems])
    }

    @Test func accountsAreChargedSeparately() {
        let bench = TestDevice { $0.users = 3 }
        for device in bench.devices { bench.launch(on: device) }
        bench.buy(Goods.hat, on: bench.devices[1])
        bench.runUntilQuiet()
        #expect((0..<3).map { bench.statement(of: $0).charges.count } == [0, 1, 0])
    }

    @Test func storesOfDifferentCellsMakeUniqueIdentifiers() {
        let identifiers = (0..<3).map { cell -> TransactionID? in
            let store = SimulatedAppStore(
                lane: VirtualTimeline(), catalog: Goods.catalog(), conditions: .init(), behaviour: .init(),
                buyers: .init(), seed: 1, cell: cell, users: 5..<6)
            store.openAccount(user: 5, owned: [Goods.hat], unfinished: [])
            return store.closeAccount(user: 5).transactions.first?.id
        }
        #expect(Set(identifiers).count == 3)
        #expect(identifiers.allSatisfy { $0?.text.count == 15 })
    }
}

@Suite struct StoreDefectTests {
    private func books(_ defects: Set<StoreDefect>) -> AccountStatement {
        let bench = TestDevice { $0.defects = defects }
        bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        return bench.statement()
    }

    @Test(arguments: [([], 1), ([.chargesTwice], 2), ([.forgetsCharge], 0)] as [(Set<StoreDefect>, Int)])
    func brokenStoreChargesTwiceOrNever(_ defects: Set<StoreDefect>, _ charges: Int) {
        let books = books(defects)
        #expect(books.charges.count == charges)
        #expect(books.transactions.count == 1)
    }

    @Test(arguments: [false, true])
    func brokenStoreRedeliversFinishedPurchases(_ isBroken: Bool) throws {
        let bench = TestDevice { $0.defects = isBroken ? [.redeliversFinished] : [] }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        bench.finish(try #require(recorder.told.last))
        bench.runUntilQuiet()
        bench.device.terminate()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == (isBroken ? [.purchased] : []))
    }
}
