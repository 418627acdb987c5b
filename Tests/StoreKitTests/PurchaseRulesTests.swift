// S40 to S62: `Product.purchase` and `Transaction.finish`.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct PurchaseRulesTests {
    private func error(
        _ bench: TestDevice, _ identifier: String, _ options: Set<Product.PurchaseOption> = []
    ) -> (any Error)? {
        guard case .failure(let error)? = bench.outcome({ try await TestDevice.purchase(identifier, options) }) else {
            return nil
        }
        return error
    }

    // MARK: Finishing

    // S40
    @Test func finishedPurchaseIsGone() throws {
        let bench = launched()
        let bought = try bench.own(Goods.hat)
        #expect(try bench.list { Transaction.unfinished }.isEmpty)
        #expect(bench.statement().transactions.first { $0.id.number == Int64(bought.id) }?.finishedAt != nil)
    }

    // S41
    @Test func finishOutlivesTheAppThatGaveIt() throws {
        let bench = launched { $0.delivery.finishDelay = .constant(Span.minutes(1).nanoseconds) }
        let bought = try bench.purchase(Goods.coins).transaction
        bench.start { await bought.finish() }
        bench.run(for: .seconds(1))
        bench.device.crash()
        bench.run(for: .minutes(2))
        bench.launchWithoutObserver()
        #expect(try bench.list { Transaction.unfinished }.isEmpty)
    }

    // S41
    @Test func failedFinishLeavesThePurchaseForTheNextLaunch() throws {
        let bench = launched { $0.delivery.finishFails = .all }
        let bought = try bench.own(Goods.coins)
        bench.device.terminate()
        bench.launchWithoutObserver()
        #expect(try bench.list { Transaction.unfinished }.map(\.id) == [bought.id])
    }

    // S42
    @Test(arguments: ClientRules.FinishReturns.allCases)
    func finishReturnsAsTheKnobSays(_ knob: ClientRules.FinishReturns) throws {
        let bench = launched {
            $0.behaviour.finishReturns = knob
            $0.link.latency = .span(.seconds(1))
        }
        let bought = try bench.purchase(Goods.coins).transaction
        let returned = Notes<Bool>()
        bench.start {
            await bought.finish()
            returned.values.append(true)
            await bought.finish()
            returned.values.append(true)
        }
        bench.run(for: .milliseconds(1))
        #expect(returned.values.count == (knob == .atOnce ? 2 : 0))
        // An app that dies meanwhile could not yet answer its user.
        #expect((bench.device.underWayForApp > 0) == (knob == .confirmed))
        bench.runUntilQuiet()
        #expect(returned.values.count == 2)
    }

    // S43
    @Test func anyCopyFinishesOnce() throws {
        let bench = launched()
        let bought = try bench.purchase(Goods.coins).transaction
        bench.device.terminate()
        bench.launchWithoutObserver()
        bench.start {
            await bought.finish()
            await bought.finish()
        }
        bench.runUntilQuiet()
        #expect(try bench.list { Transaction.unfinished }.isEmpty)
        let finishes = bench.device.events.count { if case .finishCalled = $0.event { true } else { false } }
        #expect(finishes == 1)
    }

    // S46
    @Test func unfinishedPurchaseAnswersTheNextOne() throws {
        let bench = launched()
        let first = try bench.purchase(Goods.coins).transaction
        let second = try bench.purchase(Goods.coins).transaction
        #expect(first.id == second.id)
        #expect(try bench.list { Transaction.unfinished }.map(\.id) == [first.id])
        #expect(bench.charges() == 1)
    }

    // MARK: Results and errors

    // S50
    @Test func cancelIsAResult() throws {
        let bench = launched { $0.buyers.cancel = .all }
        guard case .userCancelled = try bench.purchase(Goods.coins) else {
            Issue.record("a cancelled purchase has another result")
            return
        }
        #expect(try bench.list { Transaction.unfinished }.isEmpty)
    }

    // S51
    @Test func offlinePurchaseThrowsANetworkError() {
        let offline = launched {
            $0.link.offline = OfflineSpells(share: .all, duration: .constant(Span.hours(1).nanoseconds))
        }
        guard case .networkError? = error(offline, Goods.coins) as? StoreKitError else {
            Issue.record("offline, a call throws something else")
            return
        }
    }

    // S51
    @Test func refusalsArePurchaseErrors() {
        let bench = launched { $0.buyers.paymentsDisallowed = .all }
        #expect(error(bench, Goods.coins) as? Product.PurchaseError == .purchaseNotAllowed)
        #expect(error(bench, Goods.unknown) as? Product.PurchaseError == .productUnavailable)
    }

    // S52
    @Test func chargeWhoseAnswerIsLostComesByUpdates() throws {
        let bench = launched { $0.link[.lostAnswer] = .percent(50) }
        let reader = UpdatesReader(on: bench)
        var products: [Product] = []
        while products.isEmpty {
            products = (try? bench.value { try await Product.products(for: [Goods.coins]) }) ?? []
        }
        let product = products[0]
        var bought = 0
        var error: (any Error)?
        while error == nil {
            let outcome = bench.outcome {
                let transaction = try await product.purchase().transaction
                await transaction.finish()
            }
            switch try #require(outcome) {
            case .success: bought += 1
            case .failure(let lost): error = lost
            }
        }
        guard case .networkError? = error as? StoreKitError else {
            Issue.record("a lost answer is another error")
            return
        }
        bench.device.beginSettling()
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.coins])
        #expect(bench.charges() == bought + 1)
    }

    // S53
    @Test(arguments: StoreBehaviour.InterruptedPurchase.allCases)
    func interruptedPurchaseAnswersAsTheKnobSays(_ knob: StoreBehaviour.InterruptedPurchase) throws {
        let bench = launched {
            $0.behaviour.interruptedPurchase = knob
            $0.buyers.interrupted = Interruption(
                share: .all, resolve: .all, resolveAfter: .constant(Span.minutes(5).nanoseconds))
        }
        let reader = UpdatesReader(on: bench)
        let outcome = try #require(bench.outcome { try await TestDevice.purchase(Goods.coins) })
        let found: StoreBehaviour.InterruptedPurchase? =
            switch outcome {
            case .success(.pending): .pending
            case .success(.userCancelled): .cancelled
            case .failure(StoreKitError.unknown): .unknown
            default: nil
            }
        #expect(found == knob)
        bench.run(for: .minutes(6))
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.coins])
    }

    // S54
    @Test func quantityIsForWhatCanBeCounted() throws {
        let bench = launched()
        #expect(try bench.purchase(Goods.coins, [.quantity(3)]).transaction.purchasedQuantity == 3)
        #expect(error(bench, Goods.hat, [.quantity(2)]) as? Product.PurchaseError == .invalidQuantity)
        #expect(error(bench, Goods.coins, [.quantity(11)]) as? Product.PurchaseError == .invalidQuantity)
        #expect(error(bench, Goods.coins, [.quantity(0)]) as? Product.PurchaseError == .invalidQuantity)
    }

    // S55
    @Test func accountTokenComesBack() throws {
        let bench = launched()
        let token = UUID()
        #expect(try bench.purchase(Goods.coins, [.appAccountToken(token)]).transaction.appAccountToken == token)
        #expect(try bench.purchase(Goods.hat).transaction.appAccountToken == nil)
    }

    // S56
    @Test(arguments: StoreBehaviour.OwnedRepurchase2.allCases)
    func ownedProductIsAnsweredAsTheKnobSays(_ knob: StoreBehaviour.OwnedRepurchase2) throws {
        let bench = launched { $0.behaviour.ownedRepurchase2 = knob }
        let first = try bench.own(Goods.hat)
        let second = try bench.own(Goods.hat)
        #expect((first.id == second.id) == (knob == .original))
        #expect(second.originalID == first.id)
        #expect(try bench.list { Transaction.unfinished }.isEmpty)
        #expect(bench.charges() == 1)
    }

    // S57
    @Test func activeSubscriptionAnswersWithItsTransaction() throws {
        let bench = launched()
        let first = try bench.own(Goods.pro)
        let second = try bench.own(Goods.pro)
        #expect(first.id == second.id)
        #expect(bench.charges() == 1)
    }

    // S58
    @Test func downgradeAnswersWithTheRunningTransaction() throws {
        let bench = TestDevice.inServices()
        bench.launchWithoutObserver()
        let running = try bench.own(Services.pro)
        let answer = try bench.own(Services.lite)
        #expect(answer.id == running.id && answer.productID == Services.pro)
    }

    // S59
    @Test func purchasesRunOneAfterTheOther() throws {
        let bench = launched { $0.buyers.decideAfter = .constant(Span.seconds(1).nanoseconds) }
        let ids = try bench.value {
            async let first = TestDevice.purchase(Goods.coins)
            async let second = TestDevice.purchase("com.example.gems")
            return (try await first.transaction, try await second.transaction)
        }
        #expect(ids.0.purchaseDate != ids.1.purchaseDate)
        #expect(bench.charges() == 2)
    }

    // S59
    @Test func secondPurchaseFailsIfTheKnobSaysSo() throws {
        let bench = launched {
            $0.behaviour.concurrentPurchase = .unknownError
            $0.buyers.decideAfter = .constant(Span.seconds(1).nanoseconds)
        }
        let outcomes = try bench.value {
            async let first = TestDevice.purchase(Goods.coins)
            async let second = TestDevice.purchase("com.example.gems")
            return [try? await first.transaction, try? await second.transaction].compactMap { $0?.productID }
        }
        #expect(outcomes.count == 1)
        #expect(bench.charges() == 1)
    }

    // S60
    @Test func cancelledTaskDoesNotCancelThePurchase() throws {
        let bench = launched { $0.buyers.decideAfter = .constant(Span.seconds(1).nanoseconds) }
        let notes = Notes<Bool>()
        let tasks = Notes<Task<Void, Never>>()
        bench.process.enter(.launch) {
            tasks.values.append(
                Task {
                    let result = try? await TestDevice.purchase(Goods.coins)
                    if case .success? = result { notes.values.append(Task.isCancelled) }
                })
        }
        bench.run(for: .milliseconds(500))
        bench.process.enter(.launch) { tasks.values[0].cancel() }
        bench.runUntilQuiet()
        #expect(notes.values == [true])
        #expect(bench.charges() == 1)
    }

    // S61
    @Test(arguments: [nil, true, false])
    func movedUsersPurchaseFollowsItsOption(_ goesOn: Bool?) throws {
        let bench = launched { $0.buyers.decideAfter = .constant(Span.seconds(2).nanoseconds) }
        let asked = Notes<String>()
        let options: Set<Product.PurchaseOption> =
            goesOn.map { answer in
                [
                    .onStorefrontChange { storefront in
                        asked.values.append(storefront.countryCode)
                        return answer
                    }
                ]
            } ?? []
        let results = Notes<Result<Product.PurchaseResult, any Error>>()
        bench.start {
            do { results.values.append(.success(try await TestDevice.purchase(Goods.coins, options))) } catch {
                results.values.append(.failure(error))
            }
        }
        bench.run(for: .seconds(1))
        bench.store.perform(.changeStorefront(StorefrontValue(countryCode: "FRA")!), user: 0)  // A literal.
        bench.runUntilQuiet()
        #expect(asked.values == (goesOn == nil ? [] : ["FRA"]))
        switch try #require(results.values.first) {
        case .success(.success): #expect(goesOn != false)
        case .failure(StoreKitError.notAvailableInStorefront): #expect(goesOn == false)
        default: Issue.record("\(results.values)")
        }
    }

    // S62
    @Test func introductoryOfferIsForNewSubscribers() throws {
        let bench = launched()
        #expect(try bench.value { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group") })
        try bench.own(Goods.pro)
        #expect(try bench.value { await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group") })
    }

    // S63
    @Test func unknownProductsAreLeftOut() throws {
        let bench = launched()
        let found = try bench.value { try await Product.products(for: [Goods.hat, Goods.unknown, Goods.hat]) }
        #expect(found.map(\.id) == [Goods.hat])
        #expect(found[0].displayName == "Hat" && found[0].type == .nonConsumable && found[0].displayPrice == "$1.99")
    }
}
