// What a scenario can say of a device: its link to the store, its app, its crashes.
// Plain values.

/// The network between a device and the App Store.
package struct LinkConditions: Sendable, Equatable {
    /// One way.
    package var latency: Distribution = .constant(0)
    private var shares = PerFault(Share.none)
    package var offline: OfflineSpells?
    /// How long the device waits for an answer that does not come.
    package var requestTimeout: Span = .seconds(30)

    package init() {}

    /// Of the messages, those to which it happens.
    package subscript(fault: FaultKind) -> Share {
        get { shares[fault] }
        set { shares[fault] = newValue }
    }
}

/// Stretches of time without a network.
package struct OfflineSpells: Sendable, Equatable {
    /// Share of the time a device is offline.
    package var share: Share
    package var duration: Distribution

    package init(share: Share, duration: Distribution) {
        self.share = share
        self.duration = duration
    }
}

/// How the app is treated by its user and by the system.
package struct AppConditions: Sendable, Equatable {
    /// How long a write to the defaults may be lost by a crash; zero: it is durable when the call returns.
    package var flushDelay: Span = .zero
    /// From a crash to the user's next launch.
    package var relaunchAfter: Distribution = .spans(.seconds(2), .seconds(20))
    /// How long a user waits for the app to answer before doing something else.
    package var patience: Span = .minutes(5)
    /// Under the wall clock: how long one call into client code may hold the main queue.
    package var mainQueueLimit: Span = .milliseconds(250)
    /// In real time: a call into client code that lasts longer has not only been slow.
    package var hangLimit: Span = .seconds(30)
    /// How many bytes an app may come to hold before the system ends it.
    package var memoryLimit = 1 << 30
    /// At how many places in its code the app may crash before the run ends early.
    package var crashLimit = 100

    package init() {}
}

/// How the payment queue hands over what it has: legal all of it, and none of it convenient.
package struct DeliveryFaults: Sendable, Equatable {
    /// R8: what one call of `updatedTransactions` holds.
    package enum Batches: String, Sendable, CaseIterable {
        case asTheyCome = "as_they_come"
        case oneByOne = "one_by_one"
        /// What comes within a tenth of a second is delivered together.
        case merged
    }
    /// R8: in which order.
    package enum Order: String, Sendable, CaseIterable {
        case asTheyCome = "as_they_come"
        case reversed
        case random
    }

    package var batches = Batches.asTheyCome
    package var order = Order.asTheyCome
    /// Share of the transactions that are delivered again a moment later, as long as they are unfinished.
    package var duplicate: Share = .none
    /// R17, R20: from the call of `finishTransaction` until the queue takes notice. Nil: a purchase leaves the queue as
    /// soon as the store has heard of it, and what only the device knows after `removalTime`.
    package var finishDelay: Distribution?
    package static let removalTime = Distribution.spans(.milliseconds(20), .milliseconds(200))
    /// R20: share of the finishes that fail: the transaction is delivered again.
    package var finishFails: Share = .none
    /// R53: share of the product requests that never answer.
    package var unanswered: Share = .none
    /// R57: by how much the receipt is behind what the queue tells.
    package var receiptLag: Distribution = .constant(0)
    package var receiptsLag: Bool { receiptLag != .constant(0) }
    /// S73.
    package var verification = VerificationFaults()

    package init() {}
}

/// What StoreKit 2 hands over, and could not verify.
package struct VerificationFaults: Sendable, Equatable {
    /// Share of the values; the next handing over of the same value is drawn anew.
    package var fails: Share = .none
    package var reason = VerificationFlaw.invalidSignature
    /// Share of the launches in which the app receives a transaction that the store never made.
    package var forged: Share = .none

    package init() {}
}

/// A crash made to happen, at some share of the moments it names.
package struct CrashFault: Sendable, Equatable {
    package enum Moment: Sendable, Equatable {
        /// Just before any effect takes hold.
        case anyEffect
        /// Just before a call of `finishTransaction` crosses to the system.
        case beforeFinish
        /// The charge has been made, and the app has not heard of it yet.
        case afterCharge
        /// Between the call that starts a restore and its end.
        case duringRestore
        /// Just before the n-th effect of a launch, counted from 1.
        case effect(Int)
    }

    /// Share of the opportunities: of all effects, of all finishes, of all charges, of all restores, of all launches.
    package var share: Share
    package var moment: Moment

    package init(share: Share, moment: Moment) {
        self.share = share
        self.moment = moment
    }
}
