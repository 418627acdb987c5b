// What an app did about something, apart from who, when and how often.
// Values; any thread.

import Simulation

/// Tells findings apart without regard to user, time and number:
/// findings with the same conduct have, as a rule, the same cause.
package struct Conduct: Sendable, Hashable, Codable {
    package let rule: AuditRule
    /// In the order of the story.
    package let circumstances: [Circumstance]

    init(rule: AuditRule, circumstances: [Circumstance]) {
        self.rule = rule
        self.circumstances = circumstances
    }

    /// The same for the same conduct, in every version that knows it: what lists of findings name it by.
    package var identifier: String {
        "\(rule.rawValue)-" + Fingerprint.digits(circumstances.map(\.rawValue).joined(separator: " "), count: 4)
    }
}

/// A part of a conduct. The raw values stand in files: they stay.
package enum Circumstance: String, Sendable, Hashable, Codable, CaseIterable {
    case consumable, entitlement

    case fetch, purchase, restore

    case neverTold = "never-told"
    case toldWhereAsked = "told-where-asked"
    case toldElsewhere = "told-elsewhere"
    case toldAsRestored = "told-as-restored"
    case finishedAfterDelivery = "finished-after-delivery"
    case finishedUndelivered = "finished-undelivered"
    case notFinished = "not-finished"

    case tooFew = "too-few"
    case tooMany = "too-many"
    case mixedUp = "mixed-up"

    case answeredPurchased = "answered-purchased"
    case answeredCancelled = "answered-cancelled"
    case answeredDeferred = "answered-deferred"
    case answeredFailed = "answered-failed"
    case answeredRefused = "answered-refused"
    case answeredRestored = "answered-restored"
    case answeredNothing = "answered-nothing"
    case answeredFetched = "answered-fetched"
    case unasked
    case neverAsked = "never-asked"

    case charged, repeated, declined, interrupted, undecided, cancelled, failed
    case awaitsApproval = "awaits-approval"

    case showedUnsold = "showed-unsold"
    case showedNothing = "showed-nothing"

    case expired, takenBack = "taken-back"
    case unheard, notNow = "not-now", noObserver = "no-observer"
    case purchasing, deferred
}
