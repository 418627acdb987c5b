// What StoreKit 2 handed over without being able to verify it, and what the app did with it.
// A value; part of a story.

package import Simulation

/// S73: nothing shows that such a purchase was ever paid for.
package struct UnverifiedStory: Sendable {
    /// The purchases of the running launch that came only so.
    private var pending: [Act] = []
    /// Purchases whose goods the app granted all the same.
    package private(set) var granted: [Act] = []
    /// Purchases that the app finished all the same (S44).
    package private(set) var finished: [Act] = []

    /// What happened to a purchase that could not be verified.
    package struct Act: Sendable {
        package let transaction: TransactionID
        package let product: ProductIndex
        package let moment: Moment
    }

    /// Something came unverified in this launch; hardly ever.
    var hasPending: Bool { !pending.isEmpty }

    mutating func begin() {
        pending.empty()
        granted.empty()
        finished.empty()
    }

    mutating func processBegan() { pending.empty() }

    mutating func delivered(_ transaction: DeviceEvent.TransactionNote, _ moment: Moment) {
        guard let id = transaction.id, let product = transaction.product else { return }
        pending.removeAll { $0.transaction == id }
        pending.append(Act(transaction: id, product: product, moment: moment))
    }

    /// It has come verified as well: an app may deliver it.
    mutating func verified(_ id: TransactionID) {
        pending.removeAll { $0.transaction == id }
    }

    /// Purchases of a product that came only unverified and have brought nothing yet, in their order: goods that nothing else
    /// explains are theirs.
    func pending(of product: ProductIndex) -> [TransactionID] {
        pending.filter { act in
            act.product == product && !granted.contains { $0.transaction == act.transaction }
        }.map(\.transaction)
    }

    mutating func noteGrant(_ id: TransactionID, of product: ProductIndex, _ moment: Moment) {
        granted.append(Act(transaction: id, product: product, moment: moment))
    }

    mutating func finishCalled(_ id: TransactionID?, _ moment: Moment) {
        guard let id, let act = pending.first(where: { $0.transaction == id }),
            !finished.contains(where: { $0.transaction == id })
        else { return }
        finished.append(Act(transaction: id, product: act.product, moment: moment))
    }
}
