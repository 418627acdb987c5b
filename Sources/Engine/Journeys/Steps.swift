// What each step of a journey does.
// Guard: the device's lane.

import ClientKit
import Judgement
import Scenario
import Simulation

extension UserRunner {
    func execute(_ step: Step) -> StepResult {
        switch step.kind {
        case .launch: launch()
        case .terminate: terminate()
        case .crash: device.crash()
        case .reinstall: reinstall()
        case .updateApp(let client): update(to: client)
        case .background(let time): return background(time.drawSpan(&chance))
        case .fetchProducts(let fetch): return waitOrGo(fetch.waits, askForProducts(fetch.identifiers))
        case .buy(let buy): return waitOrGo(buy.waits, askToBuy(buy))
        case .restore(let waits): return waitOrGo(waits, askToRestore())
        case .use(let target): use(target)
        case .think(let time): return resume(after: time.drawSpan(&chance))
        case .waitFor(let awaited, let limit):
            return wait(for: pending.filter { awaited.includes($0.kind) }.map(\.number), atMost: limit)
        case .repeated(let times, let steps):
            cursor.enter(steps, times: Int(min(max(0, times.draw(&chance)), ScenarioLimits.repeatMax)))
        case .choose(let branches): cursor.enter(chance.choose(branches) { $0.weight }.steps, times: 1)
        case .together(let steps): return together(steps)
        case .account(let account): return perform(account)
        case .switchAccount: return switchAccount()
        case .onOtherDevice(let steps): stepsOnOtherDevice(steps)
        case .promotedPurchase(let product): device.tapPromotedProduct(product)
        case .expect(let expectation):
            if holds(expectation) { totals.expectationsMet += 1 } else { totals.expectationsMissed += 1 }
        }
        return .done
    }

    private func waitOrGo(_ waits: Bool, _ request: Int) -> StepResult {
        guard waits, pending.contains(where: { $0.number == request }) else { return .done }
        return wait(.one(request), atMost: cell.app.patience)
    }

    private func reinstall() {
        terminate()
        device.recordGoods(goodsHeld(userDevice))
        device.reinstall()
        // What its code still has in memory is of an app that is gone.
        userDevice.client = nil
        userDevice.process = nil
    }

    /// On the device that the user holds. The store, the account and what the app has stored stay as they are.
    private func update(to name: String) {
        guard let client = cell.setup.updates[name] else { preconditionFailure("there is no client \(name)") }
        terminate()
        device.noteUpdate(to: name)
        userDevice.update = client
        userDevice.client = nil
        userDevice.process = nil
    }

    /// Closes the app; when the device has finished its work, the other account is signed in.
    private func switchAccount() -> StepResult {
        terminate()
        // The app may crash on the way out.
        // It is closed all the same, and the user does not open it while accounts change.
        step.forgiveEnd()
        state.pauses()
        device.whenQuiet { [self] in
            // The journey may have been broken off meanwhile, and the app been launched to settle.
            if state.isSettling { return }
            device.switchAccount()
            _ = resume(after: .zero)
        }
        return .wait
    }

    /// The person does something outside the app; the next step comes after it.
    private func perform(_ action: AccountAction) -> StepResult {
        state.pauses()
        let account = device.account
        cell.store.lane.send { [self] in
            cell.store.perform(action, user: account)
            device.lane.send { [self] in _ = resume(after: .zero) }
        }
        return .wait
    }

    private func background(_ time: Span) -> StepResult {
        guard let process = device.process else { return .done }
        process.enter(.didEnterBackground) {
            client?.didEnterBackground()
            process.leavesForeground()
        }
        guard process.isAlive else { return .done }
        device.enterBackground()
        state.pauses()
        device.lane.schedule(after: time) { [self] in
            if device.process === process {
                process.enter(.willEnterForeground) {
                    client?.willEnterForeground()
                    process.comesToForeground()
                }
                device.enterForeground()
            }
            _ = resume(after: .zero)
        }
        return .wait
    }

    /// Begins all steps in the same instant and waits for all of their answers.
    private func together(_ steps: [Step]) -> StepResult {
        var requests: [Int] = []
        for step in steps where device.process != nil {
            switch step.kind {
            case .fetchProducts(let fetch): requests.append(askForProducts(fetch.identifiers))
            case .buy(let buy): requests.append(askToBuy(buy))
            case .restore: requests.append(askToRestore())
            case .use(let target): use(target)
            default: preconditionFailure("a step that cannot be done together with others got past the reader")
            }
        }
        let open = requests.filter { number in pending.contains { $0.number == number } }
        return wait(for: open, atMost: cell.app.patience)
    }

    // MARK: Goods

    private func use(_ target: UseTarget) {
        switch target {
        case .product(let product): use(product, atMost: 1)
        case .all:
            for product in cell.products.indices where cell.products[product].kind == .consumable {
                use(product, atMost: .max)
            }
        }
    }

    /// Uses goods up one by one. What counts is what is gone from durable storage.
    private func use(_ product: ProductIndex, atMost limit: Int) {
        guard let process = device.process, let client else { return }
        let identifier = cell.products[product].identifier
        var held = process.readGoods(orElse: 0) { process.held(of: identifier, by: client) }
        if held == 0 { return }
        var times = 0
        while held > 0, times < limit {
            var left = held
            let effects = process.effectCount
            process.enter(.use) {
                client.use(identifier)
                left = process.held(of: identifier, by: client)
            }
            // It crashed before it could write: what it says now was never written.
            if !process.isAlive, process.effectCount <= effects + 1 { return }
            // A client that uses nothing, or is still at it, or a crash just before the write: no sense in trying on.
            if left >= held {
                process.awaitUse(of: product, held: left)
                return lookAgain(product, process, after: Self.useDelays[...])
            }
            // One was asked for; what else is gone is lost.
            process.record(.used(product, count: 1))
            held = left
            times += 1
        }
    }

    /// When an app that is not done with a use as it returns is looked at again, should it not have written: it may do so in
    /// another turn of its main queue.
    private static let useDelays: [Span] = [.zero, .milliseconds(100), .seconds(1)]

    private func lookAgain(_ product: ProductIndex, _ process: AppProcess, after delays: ArraySlice<Span>) {
        guard process.isAlive, process.isUseUnderWay(of: product) else { return }
        guard let delay = delays.first else { return process.forgetUses(of: product) }
        process.device.lane.schedule(after: delay) { [self] in
            guard process.isAlive else { return }
            process.noticeUses()
            lookAgain(product, process, after: delays.dropFirst())
        }
    }

    // MARK: Expectations

    private func holds(_ expectation: Expectation) -> Bool {
        func held(_ product: ProductIndex) -> Int {
            guard let client, let process = userDevice.process else { return 0 }
            return process.readGoods(orElse: 0) { process.held(of: cell.products[product].identifier, by: client) }
        }
        if !expectation.owns.allSatisfy({ held($0) > 0 }) { return false }
        if !expectation.notOwns.allSatisfy({ held($0) == 0 }) { return false }
        if !expectation.holds.allSatisfy({ held($0.product) == $0.count }) { return false }
        guard let answer = expectation.answered else { return true }
        return lastAnswer == answer.code
    }
}

extension Expectation.Answer {
    fileprivate var code: AnswerCode {
        switch self {
        case .purchased: return .purchased
        case .cancelled: return .cancelled
        case .failed: return .failed
        case .refused: return .refused
        case .restored: return .restored
        case .nothingToRestore: return .nothingToRestore
        case .deferred: return .deferred
        }
    }
}
