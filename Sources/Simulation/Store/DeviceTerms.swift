// What all devices of a store are given when they are made.
// Constants, but for the edition of the catalog; any thread.

/// One object for all of them: there may be millions.
final class DeviceTerms: Sendable {
    /// What a phone decides by itself.
    let rules: ClientRules
    let editions: CatalogEditions
    let app: AppIdentity
    /// Whether the store may have something for a device that no request asked for.
    let hearsNews: Bool
    private let userCount: Int

    init(_ rules: ClientRules, _ editions: CatalogEditions, _ app: AppIdentity, hearsNews: Bool, userCount: Int) {
        (self.rules, self.editions, self.app) = (rules, editions, app)
        (self.hearsNews, self.userCount) = (hearsNews, userCount)
    }

    /// The number of a user's second account; the first account has the user's own number.
    func otherAccount(of user: Int) -> Int { user + userCount }
}
