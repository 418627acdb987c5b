// Sentences about what the app did unasked, left undone, or crashed in.
// Pure; any thread.

import Simulation

extension Narrator {
    // MARK: Answers that are missing or too many

    func unanswered(_ violation: Violation) -> String {
        "\(request(violation)) of \(clock(violation.at)) was never answered, "
            + (violation.finding == .neverAsked
                ? "although the app went on running, and never even asked StoreKit" : untold(violation))
    }

    /// What the app made nothing of.
    private func untold(_ violation: Violation) -> String {
        let unknown = "although StoreKit told the app how it ended"
        guard let request = violation.request else { return unknown }
        if let payment = request.payment {
            func isOutcome(_ place: Int, in process: Int?) -> Bool {
                guard let told = input.history[place].event.telling else { return false }
                return told.payment == payment && told.state != .purchasing
                    && (process == nil || Int(input.history[place].process) == process)
            }
            // In the launch in which it was asked: what a later one was told nobody waited for.
            let last =
                input.history.indices.last { isOutcome($0, in: violation.process) }
                ?? input.history.indices.last { isOutcome($0, in: nil) }
            guard let last, let told = input.history[last].event.telling else { return unknown }
            return "although StoreKit told the app at \(clock(input.history[last].at)) that payment \(payment) is "
                + "\(told.state)" + repeated(told, at: last) + deaf(at: last) + background(until: last, violation)
        }
        let answer = input.history.first {
            guard let products = $0.event.products else { return false }
            return products.request == request.productsRequest && Int($0.process) == violation.process
        }
        guard let answer, let products = answer.event.products else { return unknown }
        guard products.isHeard else {
            return "because the app let go of its products request before the answer came at \(clock(answer.at))"
        }
        let told = "although StoreKit told the app at \(clock(answer.at)) "
        switch products.result {
        case .success(let found): return told + "of " + count(found, "product")
        case .failure(let failure): return told + "that the products request failed: " + words(for: failure)
        }
    }

    /// What was told once more, of a payment that it did not come for first.
    private func repeated(_ told: DeviceEvent.TransactionNote, at place: Int) -> String {
        guard let id = told.id else { return "" }
        let earlier = input.history[..<place].first {
            guard let before = $0.event.telling else { return false }
            return before.id == id && before.payment != told.payment
        }
        guard let earlier else { return "" }
        let whose = earlier.event.telling?.payment.map { " for payment \($0)" } ?? ""
        let charge = transaction(id).map { ", charged at \(clock($0.at))" } ?? ""
        return ": transaction \(id.text)\(charge), of which it had told\(whose) at \(clock(earlier.at)) already"
    }

    /// That the app was in the background meanwhile.
    private func background(until place: Int, _ violation: Violation) -> String {
        let since = input.history[..<place].last {
            $0.event == .backgrounded && $0.at >= violation.at && Int($0.process) == violation.process
        }
        return since.map { "; it had gone to the background at \(clock($0.at))" } ?? ""
    }

    func unreportedRestore(_ violation: Violation) -> String {
        let start = "the restore asked for at \(clock(violation.at))"
        let asked = question(violation) ?? 0
        func first(_ isMeant: (DeviceEvent) -> Bool) -> Int? {
            input.history.indices[asked...].first {
                Int(input.history[$0].process) == violation.process && isMeant(input.history[$0].event)
            }
        }
        guard let end = first({ $0.restoreEnded != nil }) ?? first({ $0.refreshEnded != nil }) else {
            return "\(start) ended, and the user was never told"
        }
        let record = input.history[end]
        let isWell = record.event.restoreEnded ?? record.event.refreshEnded ?? false
        let reason = record.event.restoreFailure.map { " (\(words(for: $0)))" } ?? ""
        let ended = isWell ? "ended" : "failed\(reason)"
        return "\(start) \(ended) at \(clock(record.at))\(deaf(at: end)), and the user was never told"
    }

    /// Whether the app could not hear what happened at a place in the history.
    private func deaf(at place: Int) -> String {
        var observers = 0
        for record in input.history[..<place] {
            if record.event == .launched { observers = 0 }
            if case .observerAdded = record.event { observers += 1 }
            if case .observerRemoved(let left) = record.event { observers = left }
        }
        return observers == 0 ? ", when no observer was on the queue" : ""
    }

    func repeatedAnswers(_ violation: Violation) -> String {
        let given = answers(violation).map { place, answer in
            "\"\(words(for: answer))\" at \(clock(input.history[place].at))"
        }
        return "\(request(violation)) was answered \(given.count) times: \(list(given))"
    }

    // MARK: Crashes

    func crash(_ violation: Violation) -> String {
        guard case .raised(let exception) = violation.finding else { return violation.rule.breach }
        let occasion = occasion(of: violation).map { ", \($0)" } ?? ""
        return
            "the client raised \(exception) at \(clock(violation.at))\(occasion); on a phone the app would have crashed"
    }

    /// What the app was called for in the very instant, or called itself.
    private func occasion(of violation: Violation) -> String? {
        let raised = place(at: violation.at, violation.process) { if case .raised = $0 { true } else { false } }
        guard let raised else { return nil }
        let trigger = trigger(at: raised)
        guard raised > 0, input.history[raised - 1].at == violation.at,
            let call = input.history[raised - 1].event.finish
        else { return trigger }
        let finish = "it finished \(name(call)), which is \(call.state)"
        return trigger.map { "\($0): \(finish)" } ?? "when \(finish)"
    }

    func illegalFinish(_ violation: Violation) -> String {
        let start = "finishTransaction was called at \(clock(violation.at)) on "
        let call = place(at: violation.at, violation.process) {
            if case .state(let state) = violation.finding { return $0.finish?.state == state }
            return $0 == .foreignFinish
        }
        let when = call.flatMap { trigger(at: $0) }.map { ", \($0)" } ?? ""
        guard let call, let finish = input.history[call].event.finish else {
            return start + "a transaction that is not on this app's queue" + when
        }
        let since = input.history[..<call].first {
            guard let told = $0.event.telling else { return false }
            return told.handle == finish.handle && told.state == finish.state
        }
        return start + "\(name(finish)), which had been \(finish.state)"
            + (since.map { " since \(clock($0.at))" } ?? "") + when
    }

    // MARK: Unasked

    func unaskedCharge(_ violation: Violation) -> String {
        guard let id = violation.transaction,
            let transaction = input.statement.transactions.first(where: { $0.id == id }),
            let token = transaction.payment
        else { return violation.rule.breach }
        let when =
            added(Int32(token.number)).map { place in
                let added = input.history[place]
                return ", added by the app at \(clock(added.at)) in launch \(added.process)"
                    + (trigger(at: place).map { ", \($0)" } ?? "")
            } ?? ""
        let charge =
            "charged \(price(transaction.product, quantity: transaction.quantity)) for \(name(transaction.product)) at "
            + "\(clock(transaction.at)) by payment \(token.number)\(when)"
        guard let request = violation.request else { return "\(charge), and no user had asked for it" }
        let asked = question(violation).flatMap { input.history[$0].event.question }
        if let asked, asked.product != transaction.product {
            return "\(charge), where request \(request.number) was to buy \(name(asked.product))"
        }
        return "\(charge), for request \(request.number), which had been paid for already"
    }

    func ignoredPromotion(_ violation: Violation) -> String {
        let tap = "the user tapped \(name(violation.product)) in the App Store at \(clock(violation.at))"
        guard case .promoted(let answer) = violation.finding else { return violation.rule.breach }
        switch answer {
        case .unheard: return "\(tap), and no observer of the app implements shouldAddStorePayment: nothing was bought"
        case .notNow: return "\(tap), the app returned false from shouldAddStorePayment, and never added the payment"
        case .added, nil: return "\(tap), and the app had no observer on the queue that could be asked about it"
        }
    }

    func staleEntitlement(_ violation: Violation) -> String {
        let product = name(violation.product)
        let transaction = input.statement.transactions.first { $0.id == violation.transaction }
        if let transaction, transaction.revokedAt == nil, let end = transaction.expiresAt {
            let launches = input.history.count { $0.event == .launched && $0.at > end }
            return
                "\(product) ran out at \(clock(end)) and was not renewed, the app was launched "
                + "\(launches > 1 ? "\(launches) times" : "once more") after that, and it is still held at the end"
        }
        let isWritten = input.history.contains { $0.event.isWrite && $0.at >= violation.at }
        return "\(product) was taken back, the app was told at \(clock(violation.at)), and it is still held at the end"
            + (isWritten ? "" : ": the app wrote nothing after that")
    }
}
