// The process: launches and how they ended, observers, the background, promoted purchases, the app's own servers.
// A value; part of a story.

package import Simulation

/// When something was noted: its place among the events, its launch and its time.
package struct Moment: Sendable, Hashable {
    package let place: Int32
    /// Counted from 1; 0 before the first launch.
    package let process: Int32
    package let at: Instant

    package static func < (one: Moment, other: Moment) -> Bool { one.place < other.place }

    /// Whether both are of one instant of one launch.
    package func isWith(_ other: Moment) -> Bool { at == other.at && process == other.process }
}

package struct LaunchStory: Sendable {
    package private(set) var launches: [Moment] = []
    package private(set) var crashes: [Moment] = []
    /// Ends of launches and deletions of the app: whatever was under way is over.
    package private(set) var ends: [End] = []
    package private(set) var reinstalls: [Moment] = []
    /// What comes after it belongs to the settling.
    package private(set) var settling: Moment?
    /// Launches that returned without an observer on the queue.
    private(set) var unobserved: [Moment] = []
    package private(set) var observers: [ObserverChange] = []
    /// One observer more than once on the queue, or observers there when their launch was terminated.
    private(set) var leaks: [(moment: Moment, count: Int)] = []
    /// Terminations at which observers were still there.
    private(set) var left: [(moment: Moment, count: Int)] = []
    private(set) var deafSpells: [DeafSpell] = []
    /// In the foreground after the last loop over `Transaction.updates` had ended.
    private(set) var silentSpells: [DeafSpell] = []
    /// Payments that were added before there was such a loop, in a launch that had read what is unfinished.
    private(set) var unheardPayments: [(moment: Moment, payment: DeviceEvent.PaymentNote)] = []
    package private(set) var backgrounds: [Moment] = []
    package private(set) var foregrounds: [Moment] = []
    package private(set) var incidents: [Incident] = []
    private(set) var promotions: [Promotion] = []
    /// StoreKit asked the app once at least.
    private(set) var wasAskedOfPromotions = false
    package private(set) var validations: [Validation] = []
    /// On the queue now.
    private var liveObservers = 0
    private var hasObserved = false
    /// In the foreground again, without an observer on the queue since.
    private var deafSince: Moment?
    /// In the foreground, after the last loop over `Transaction.updates` had ended.
    private var silentSince: Moment?
    private var reader = Reader.unknown
    private var isInBackground = false

    package struct End: Sendable {
        package let moment: Moment
        package let isCrash: Bool
    }

    package struct ObserverChange: Sendable {
        package let moment: Moment
        /// Observers on the queue now.
        package let count: Int
    }

    /// What is known of the app's loops over `Transaction.updates`.
    private enum Reader {
        /// There may be one, or the app uses the queue.
        case unknown
        case neverThere
        case gone
    }

    /// In the foreground without an observer, or without a loop, from one moment to another.
    struct DeafSpell: Sendable {
        let since: Moment
        let until: Instant
    }

    /// What an app may do at any time and should never do.
    package struct Incident: Sendable {
        package enum Kind: Sendable {
            case raised(ClientException)
            case died(DeathNote)
            case held(Span, limit: Span, ClientCall)
            case hung(Span, ClientCall, ClientWait)
            case overworked(asked: Int, done: Int)
            case calledOffLane
            case foreignFinish
        }

        package let kind: Kind
        package let moment: Moment
    }

    /// A product that the user tapped in the store.
    struct Promotion: Sendable {
        let product: ProductIndex
        let tapped: Moment
        var answer: PromotionAnswer?
        /// The launch ended, or nothing more was to come, and nothing had been made of it.
        var isIgnored = false
    }

    /// A receipt on its way to the app's validator, and what came of it.
    package struct Validation: Sendable {
        package let moment: Moment
        let effect: Int32
        /// When it was found to be valid.
        package internal(set) var confirmedAt: Instant?
    }

    mutating func begin() {
        launches.removeAll(keepingCapacity: true)
        crashes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        reinstalls.removeAll(keepingCapacity: true)
        unobserved.removeAll(keepingCapacity: true)
        observers.removeAll(keepingCapacity: true)
        leaks.removeAll(keepingCapacity: true)
        left.removeAll(keepingCapacity: true)
        deafSpells.removeAll(keepingCapacity: true)
        silentSpells.empty()
        unheardPayments.empty()
        backgrounds.removeAll(keepingCapacity: true)
        foregrounds.removeAll(keepingCapacity: true)
        incidents.removeAll(keepingCapacity: true)
        promotions.removeAll(keepingCapacity: true)
        validations.removeAll(keepingCapacity: true)
        settling = nil
        wasAskedOfPromotions = false
        forgetListeners()
    }

    private mutating func forgetListeners() {
        liveObservers = 0
        hasObserved = false
        deafSince = nil
        silentSince = nil
        reader = .unknown
        isInBackground = false
    }

    mutating func launched(_ now: Moment) {
        launches.append(now)
        forgetListeners()
    }

    mutating func returned(_ now: Moment, observers: Int) { if observers == 0 { unobserved.append(now) } }

    mutating func terminated(_ now: Moment) {
        if liveObservers > 0 { left.append((now, liveObservers)) }
        ends.append(End(moment: now, isCrash: false))
    }

    mutating func crashed(_ now: Moment) {
        crashes.append(now)
        ends.append(End(moment: now, isCrash: true))
    }

    mutating func reinstalled(_ now: Moment) {
        reinstalls.append(now)
        ends.append(End(moment: now, isCrash: false))
    }

    mutating func settlingBegan(_ now: Moment) { if settling == nil { settling = now } }

    mutating func note(_ kind: Incident.Kind, _ now: Moment) { incidents.append(Incident(kind: kind, moment: now)) }

    // MARK: Observers

    mutating func observerAdded(_ now: Moment, times: Int) {
        liveObservers += 1
        hasObserved = true
        observers.append(ObserverChange(moment: now, count: liveObservers))
        if times > 1 { leaks.append((now, times)) }
        hearsAgain(at: now.at)
    }

    mutating func observerRemoved(_ now: Moment, left: Int) {
        liveObservers = left
        observers.append(ObserverChange(moment: now, count: left))
    }

    mutating func updatesUnread(_ now: Moment, hadReader: Bool) {
        reader = hadReader ? .gone : .neverThere
        if hadReader, !isInBackground, liveObservers == 0 { silentSince = now }
    }

    mutating func updatesRead(_ now: Moment) {
        reader = .unknown
        hearsAgain(at: now.at)
    }

    mutating func foregrounded(_ now: Moment) {
        foregrounds.append(now)
        isInBackground = false
        if hasObserved, liveObservers == 0 { deafSince = now }
        if reader == .gone, liveObservers == 0 { silentSince = now }
    }

    mutating func backgrounded(_ now: Moment) {
        backgrounds.append(now)
        isInBackground = true
        hearsAgain(at: now.at)
    }

    /// How long the app of a launch was not in the background.
    func timeAwake(from start: Moment, to end: Instant) -> Span {
        backgrounds.reduce(end - start.at) { time, background in
            guard background.process == start.process else { return time }
            let next = foregrounds.first { background < $0 }?.at ?? end
            let asleep = min(next, end) - max(background.at, start.at)
            return asleep > .zero ? time - asleep : time
        }
    }

    private mutating func hearsAgain(at instant: Instant) {
        if let since = deafSince.take() { deafSpells.append(DeafSpell(since: since, until: instant)) }
        if let since = silentSince.take() { silentSpells.append(DeafSpell(since: since, until: instant)) }
    }

    // MARK: Promotions

    mutating func promotionTapped(_ product: ProductIndex, _ now: Moment) {
        promotions.append(Promotion(product: product, tapped: now))
    }

    /// - Parameter mayRefuse: whether something speaks against buying this product now.
    mutating func promotionAsked(_ product: ProductIndex?, _ answer: PromotionAnswer, mayRefuse: Bool) {
        if answer != .unheard { wasAskedOfPromotions = true }
        guard let place = promotions.firstIndex(where: { $0.product == product && $0.answer == nil }) else { return }
        // Taken up, or turned down for a reason.
        if answer == .added || mayRefuse {
            promotions.remove(at: place)
        } else {
            promotions[place].answer = answer
            promotions[place].isIgnored = answer == .unheard
        }
    }

    /// A payment for the product, now or later: the promotion was taken up.
    mutating func paymentAdded(_ payment: DeviceEvent.PaymentNote, _ now: Moment) {
        if reader == .neverThere, liveObservers == 0 { unheardPayments.append((now, payment)) }
        if promotions.isEmpty { return }
        promotions.removeAll { $0.product == payment.product && $0.answer == .notNow }
    }

    mutating func processEnded(_ end: ProcessEnd, patience: Span) {
        hearsAgain(at: end.moment.at)
        for place in promotions.indices.reversed()
        where promotions[place].tapped.process == end.moment.process && !promotions[place].isIgnored {
            if end.showedNothing(since: promotions[place].tapped.at, patience: patience) {
                promotions[place].isIgnored = true
            } else {
                promotions.remove(at: place)
            }
        }
    }

    // MARK: The receipt validator

    mutating func posted(_ post: DeviceEvent.PostNote, _ now: Moment) {
        if post.isForValidator { validations.append(Validation(moment: now, effect: post.effect)) }
    }

    mutating func postAnswered(_ post: DeviceEvent.PostNote, _ outcome: DeviceEvent.PostOutcome, _ now: Moment) {
        guard post.isForValidator, case .status(200, _) = outcome,
            let place = validations.lastIndex(where: {
                $0.moment.process == now.process && $0.effect == post.effect
            })
        else { return }
        validations[place].confirmedAt = now.at
    }
}
