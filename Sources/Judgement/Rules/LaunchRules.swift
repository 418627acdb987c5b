// unobserved-launch, observer-leak, observer-left, deaf-after-background, deaf-listener, ignored-promotion, unasked-restore,
// client-crash, main-queue-blocked, client-hang, client-livelock, left-its-queue: what the app did as a process.

import Simulation

extension UserStory {
    /// Judges whether the app receives StoreKit's callbacks.
    func judgeObservers(into violations: inout [Violation]) {
        for moment in launches.unobserved {
            violations.append(Violation(.unobservedLaunch, moment, isOwed(at: moment) ? .owed : .none))
        }
        for leak in launches.leaks {
            violations.append(Violation(.observerLeak, leak.moment, .observers(leak.count)))
        }
        for left in launches.left {
            violations.append(Violation(.observerLeft, left.moment, .observers(left.count)))
        }
        // An app may put its observer back in a block of its own.
        for spell in launches.deafSpells where spell.until - spell.since.at > .seconds(1) {
            violations.append(Violation(.deafAfterBackground, spell.since))
        }
        // S1: nor does it hear anything once its loops have ended.
        for spell in launches.silentSpells where spell.until - spell.since.at > .seconds(1) {
            violations.append(Violation(.deafListener, spell.since))
        }
        // S17.
        for (moment, payment) in launches.unheardPayments {
            var violation = Violation(.deafListener, moment, product: payment.product)
            violation.payment = payment.payment
            violations.append(violation)
        }
    }

    /// Whether something was charged by then that the app had not finished: StoreKit has it for the first observer.
    private func isOwed(at moment: Moment) -> Bool {
        input.statement.transactions.contains { transaction in
            transaction.isCharged && transaction.at < moment.at
                && !queue.finishes.contains { $0.note.id == transaction.id && $0.moment < moment }
        }
    }

    func judgePromotions(into violations: inout [Violation]) {
        // S84: an app that hears of no intents may offer no purchases in the App Store.
        let hasNoReader = input.usesStoreKit2 && !launches.wasAskedOfPromotions
        for promotion in launches.promotions where promotion.isIgnored {
            violations.append(
                Violation(
                    .ignoredPromotion, promotion.tapped, product: promotion.product,
                    hasNoReader ? .intentsUnread : .promoted(promotion.answer)))
        }
    }

    /// A restore, or a refresh of the receipt, asks for the password: an unexpected prompt.
    func judgePrompts(into violations: inout [Violation]) {
        func judge(_ prompts: [Restore]) {
            for prompt in prompts where !prompt.isAsked { violations.append(Violation(.unaskedRestore, prompt.called)) }
        }
        judge(requests.restores)
        judge(requests.refreshes)
    }

    func judgeIncidents(into violations: inout [Violation]) {
        var isOverworked = false
        for incident in launches.incidents {
            switch incident.kind {
            case .died(let note):
                let rule: AuditRule =
                    switch note.cause {
                    case .signal: .clientCrash
                    case .exit: .clientExit
                    case .memory: .clientMemory
                    }
                violations.append(Violation(rule, incident.moment, .died(note)))
            case .raised(let exception):
                violations.append(Violation(.clientCrash, incident.moment, .raised(exception)))
            case .held(let time, let limit, let call):
                violations.append(Violation(.mainQueueBlocked, incident.moment, .held(time, limit: limit, call)))
            case .hung(let time, let call, let wait):
                violations.append(Violation(.clientHang, incident.moment, .waited(time, call, wait)))
            case .overworked(let asked, let done):
                // A client that never rests would be reported again and again.
                if isOverworked { continue }
                isOverworked = true
                violations.append(Violation(.clientLivelock, incident.moment, .overworked(asked: asked, done: done)))
            case .calledOffLane: violations.append(Violation(.leftItsQueue, incident.moment))
            case .foreignFinish: violations.append(Violation(.illegalFinish, incident.moment))
            }
        }
    }
}
