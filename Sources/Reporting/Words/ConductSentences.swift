// Sentences about what the app did unasked, left undone, or crashed in.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    // MARK: Answers that are missing or too many

    func unanswered(_ violation: Violation) -> String {
        "the app never answered \(request(violation)) (\(member(violation)), called at \(clock(violation.at))), "
            + (violation.finding == .neverAsked
                ? "although it kept running, and it never asked StoreKit" : untold(violation))
    }

    /// Of the client, which has to answer each request once.
    private func member(_ violation: Violation) -> String {
        violation.request.map { "`\($0.kind.member)`" } ?? "the client"
    }

    /// What the app made nothing of.
    private func untold(_ violation: Violation) -> String {
        let unknown = "although StoreKit reported the outcome"
        guard let request = violation.request else { return unknown }
        if let payment = request.payment { return untold(payment, violation) ?? unknown }
        let fetch = story.requests.fetches.first {
            $0.request == request.productsRequest && Int($0.began.process) == violation.process
        }
        guard let end = fetch?.end else { return unknown }
        let time = clock(end.moment.at)
        guard end.isHeard else {
            return "because it released its products request before the answer arrived at \(time)"
        }
        switch end.result {
        case .success(let found):
            let isUnpaid = request.kind == .purchase && story.payments(for: request).isEmpty
            return "although StoreKit returned \(count(found, "product")) at \(time)"
                + (isUnpaid ? "; the app added no payment for it" : "")
        case .failure(let failure):
            return "although StoreKit reported at \(time) that the products request failed: \(words(for: failure))"
        }
    }

    private func untold(_ payment: Int32, _ violation: Violation) -> String? {
        let outcomes = story.queue.tellings.filter { $0.note.payment == payment && $0.note.state != .purchasing }
        // In the launch in which it was asked: what a later one was told nobody waited for.
        let told = outcomes.last { Int($0.moment.process) == violation.process } ?? outcomes.last
        guard let told else { return nil }
        return "although StoreKit delivered its payment \(payment) as \(told.note.state.words) at "
            + clock(told.moment.at) + repeated(told) + deaf(at: told.moment) + background(until: told.moment, violation)
    }

    /// What was told once more, of a payment that it did not come for first.
    private func repeated(_ told: QueueStory.Telling) -> String {
        guard let id = told.note.id else { return "" }
        let earlier = story.tellings(of: id).first {
            $0.moment < told.moment && $0.note.payment != told.note.payment
        }
        guard let earlier else { return "" }
        let whose = earlier.note.payment.map { " for payment \($0)" } ?? ""
        let charge =
            story.transaction(id).map { transaction in
                let asked = told.note.payment.flatMap { story.request(ofPayment: $0) }?.asked.at
                let before = asked.flatMap {
                    $0 > transaction.at ? ", \(seconds($0 - transaction.at)) before this request" : nil
                }
                return " and the store charged at \(clock(transaction.at))\(before ?? "")"
            } ?? ""
        return
            ", as transaction \(id.text), which StoreKit had delivered\(whose) at \(clock(earlier.moment.at))\(charge)"
    }

    /// That the app was in the background meanwhile.
    private func background(until moment: Moment, _ violation: Violation) -> String {
        let since = story.launches.backgrounds.last {
            $0 < moment && $0.at >= violation.at && Int($0.process) == violation.process
        }
        return since.map { "; the app had entered the background at \(clock($0.at))" } ?? ""
    }

    func unreportedRestore(_ violation: Violation) -> String {
        let start = "the restore requested at \(clock(violation.at))"
        guard let asked = story.request(violation.request)?.asked else { return violation.rule.breach }
        func end(_ restores: [Restore]) -> Restore.End? {
            restores.lazy.compactMap(\.end).first { asked < $0.moment && $0.moment.process == asked.process }
        }
        guard let end = end(story.requests.restores) ?? end(story.requests.refreshes) else {
            return "\(start) ended, but the app never reported that to its user"
        }
        let ended = end.failure.map { "failed (\(words(for: $0)))" } ?? "ended"
        return
            "\(start) \(ended) at \(clock(end.moment.at))\(deaf(at: end.moment)), but the app never reported that to its "
            + "user"
    }

    private func deaf(at moment: Moment) -> String {
        story.isDeaf(at: moment) ? ", when no observer was on the queue" : ""
    }

    func repeatedAnswers(_ violation: Violation) -> String {
        let given = story.answers(to: violation.request).map {
            "\"\(words(for: $0.note))\" at \(clock($0.moment.at))" + when($0.moment)
        }
        let shown = given.count > 5 ? given.prefix(3) + ["…"] + given.suffix(1) : given
        return "the app answered \(request(violation)) (\(member(violation))) \(given.count) times: "
            + shown.joined(separator: "; ")
    }

    // MARK: Crashes

    func crash(_ violation: Violation) -> String {
        if case .died(let note) = violation.finding { return death(note, violation) }
        guard case .raised(let exception) = violation.finding else { return violation.rule.breach }
        let (trigger, finish) = trigger(of: violation)
        let when = trigger.map { ", \($0)" } ?? ""
        let place = ClientFrames.place(of: input.log.calls(of: violation.process)).map { ", in \($0)" } ?? ""
        let phone = "; on a phone the app would have crashed"
        // In the words of the runtime: `is not on the queue "x", which it asserts it is on (dispatchPrecondition)`.
        let reason = input.log.reason(of: violation.process).map { ": it \($0)" } ?? ""
        if exception == .failedAssertion {
            return "an assertion of the client failed at \(clock(violation.at))\(when)\(reason)\(place)\(phone)"
        }
        let what = finish.map { "the app finished \(name($0)), which is \($0.state.words)" } ?? exception.reason
        return "StoreKit raised an exception at \(clock(violation.at))\(when): \(what)\(place)\(phone)"
    }

    /// In the words of who found it dead: `SIGILL, "Fatal error: …", in `Shop.buy()` (Sources/Shop.swift:41)`.
    private func death(_ note: DeathNote, _ violation: Violation) -> String {
        let story = story.launches.incidents.last { incident in
            if case .died(note) = incident.kind { isAt(incident.moment, violation) } else { false }
        }
        let reason = input.log.reason(of: violation.process).map { ": \($0)" } ?? ""
        let trigger = when(story?.moment)
        return "the client \(ended(note)) in \(note.call.words) at \(clock(violation.at))\(trigger)\(reason)"
    }

    private func ended(_ note: DeathNote) -> String {
        switch note.cause {
        case .signal: "crashed"
        case .exit: "ended the process"
        case .memory(let limit): "exceeded \(HumanNumbers.bytes(Double(limit))) of memory (app.memory_limit)"
        }
    }

    /// What the app was called for in the very instant, and what it finished then.
    private func trigger(
        of violation: Violation
    ) -> (trigger: String?, finish: DeviceEvent.TransactionNote?) {
        let raised = story.launches.incidents.last { incident in
            if case .raised = incident.kind { isAt(incident.moment, violation) } else { false }
        }
        guard let raised = raised?.moment else { return (nil, nil) }
        let call = story.queue.finishes.last { $0.moment.place == raised.place - 1 && $0.moment.at == raised.at }
        return (trigger(of: raised), call?.note)
    }

    private func isAt(_ moment: Moment, _ violation: Violation) -> Bool {
        moment.at == violation.at && Int(moment.process) == violation.process
    }

    func illegalFinish(_ violation: Violation) -> String {
        func start(_ moment: Moment?) -> String {
            let trigger = when(moment)
            let time = clock(violation.at)
            return "the app called finishTransaction at \(time)\(trigger)\(trigger.isEmpty ? "" : ",") on "
        }
        guard case .state(let state) = violation.finding else {
            let call = story.launches.incidents.last { incident in
                if case .foreignFinish = incident.kind { isAt(incident.moment, violation) } else { false }
            }
            return start(call?.moment) + "a transaction that is not on its queue"
        }
        let call = story.queue.finishes.last { isAt($0.moment, violation) && $0.note.state == state }
        guard let call else { return violation.rule.breach }
        let since = story.queue.tellings.first {
            $0.moment < call.moment && $0.note.handle == call.note.handle && $0.note.state == state
        }
        return start(call.moment) + "\(name(call.note)), which had been \(state.words)"
            + (since.map { " since \(clock($0.moment.at))" } ?? "")
    }

    /// `, when the user opened the shop`
    func when(_ moment: Moment?) -> String { moment.flatMap { trigger(of: $0) }.map { ", \($0)" } ?? "" }

    // MARK: Unasked

    func unaskedCharge(_ violation: Violation) -> String {
        guard let transaction = story.transaction(violation.transaction), let token = transaction.payment else {
            return violation.rule.breach
        }
        let added = story.requests.track(ofPayment: Int32(token.number))?.added
        let when = added.map { " at \(clock($0.at)) in launch \($0.process)\(self.when($0))" } ?? ""
        let paid =
            "the store charged \(price(of: transaction)) for \(offered(transaction)) at "
            + "\(clock(transaction.at)) for payment \(token.number)"
            + (added == nil ? "" : ", which the app added\(when)")
        guard let request = violation.request else { return "\(paid), although the user had not asked for it" }
        if let asked = story.request(request), asked.product != transaction.product {
            return "\(paid), although request \(request.number) was to buy \(name(asked.product))"
        }
        func charge(for payment: Int32) -> StoreTransaction? {
            input.statement.transactions.first { $0.isCharged && $0.payment.map { Int32($0.number) } == payment }
        }
        let others = story.payments(for: request).filter { $0.token != Int32(token.number) }
            .map { ($0, charge(for: $0.token)) }
        guard let (first, earlier) = others.first(where: { $0.1 != nil }) ?? others.first else {
            return "\(paid); request \(request.number) had been paid for already"
        }
        var fate = earlier.map { ["the store charged at \(clock($0.at))"] } ?? []
        if story.endings(of: first.token).first?.note.state == .failed { fate.append("StoreKit delivered as failed") }
        let asked = "the user had asked only once for \(name(transaction.product)) (request \(request.number))"
        let before = "the app added payment \(first.token) at \(clock(first.added.at))"
        let what = fate.isEmpty ? "" : ", which " + list(fate)
        let charged = "the store charged \(price(of: transaction)) for that one" + (earlier == nil ? "" : ", too,")
        return "\(asked); \(before)\(what); the app added payment \(token.number)\(when); \(charged) at "
            + clock(transaction.at)
    }

    func ignoredPromotion(_ violation: Violation) -> String {
        let tap = "the user tapped \(name(violation.product)) in the App Store at \(clock(violation.at))"
        if violation.finding == .intentsUnread { return "\(tap), but the app reads no PurchaseIntent.intents" }
        guard case .promoted(let answer) = violation.finding else { return violation.rule.breach }
        switch answer {
        case .unheard: return "\(tap), but no observer of the app implements shouldAddStorePayment: nothing was bought"
        case .notNow: return "\(tap), but the app returned false from shouldAddStorePayment and never added the payment"
        case .added, nil:
            let intents = input.usesStoreKit2 ? ", and no loop over PurchaseIntent.intents" : ""
            return "\(tap), but the app had no observer on the queue for StoreKit to ask\(intents)"
        }
    }

    func staleEntitlement(_ violation: Violation) -> String {
        let product = name(violation.product)
        let isTold = story.goods.revocations.contains {
            $0.transaction == violation.transaction && $0.moment.at == violation.at
        }
        if let transaction = story.transaction(violation.transaction), !isTold, let end = transaction.expiresAt {
            if let launch = violation.process {
                return "\(product) expired at \(clock(end)) and was not renewed; the app granted it again at "
                    + "\(clock(violation.at)), and it was still held when launch \(launch) ended"
            }
            let launches = story.launches.launches.filter { $0.at > end }
            return
                "\(product) expired at \(clock(end)) and was not renewed; \(begun(launches)) after that; \(product) is "
                + "still held at \(clock(story.end)), \(seconds(story.end - end)) after it expired\(receipt(after: end))"
        }
        let told = "StoreKit told the app at \(clock(violation.at)) that \(product) was revoked"
        if let launch = violation.process, let end = story.launches.ends.first(where: { $0.moment.process == launch }) {
            return "\(told); \(product) was still held when launch \(launch) ended, "
                + "\(seconds(end.moment.at - violation.at)) later"
        }
        let launches = story.launches.launches.filter { $0.at > violation.at }
        return
            "\(told); \(begun(launches)) after that; \(product) is still held at \(clock(story.end))"
            + (story.transaction(violation.transaction)?.revokedAt.map(receipt) ?? "")
            + (story.goods.writes.contains { $0.moment.at >= violation.at } ? "" : "; the app wrote nothing after that")
    }

    /// Whether a receipt on the device knows that an entitlement is over, where it is known when each came.
    private func receipt(after end: Instant) -> String {
        let receipts = story.goods.receipts.filter { $0.writtenAt != nil }
        if !input.notesReceipts || receipts.isEmpty { return "" }
        let first = receipts.first { $0.writtenAt ?? .start >= end }
        return first.map { "; the receipt that came to the device at \(clock($0.moment.at)) shows that" }
            ?? "; no receipt written after that came to the device"
    }

    /// `launches 4 to 7 began`
    private func begun(_ launches: [Moment]) -> String {
        launches.isEmpty
            ? "the app was not launched"
            : "\(named(launches.map(\.process))) began"
    }
}
