// Blind clients that go wrong at launch and in a restore.
// Confined to the device's main queue.

import Foundation
import Stampede
import StoreKit

/// The observer is added once the products have arrived, because it needs them. Without a network at launch, or with a
/// slow one, nothing that is unfinished is delivered, and a promoted purchase finds nobody.
///
/// https://github.com/libgdx/gdx-pay/issues/192
public final class ObserverAfterProductsShop: BlindShop {
    override public class var name: String { "blind-observer-after-products" }
    override public class var summary: String { "Observes the queue once the products have been loaded." }

    private var isObserving = false

    override public func launch() {
        reviewEntitlements()
        load(environment.products.map(\.identifier)) { _ in }
    }

    override func loaded(_ request: SKRequest, _ result: Result<[String], any Error>) {
        if case .success = result, !isObserving {
            isObserving = true
            queue.add(self)
        }
        super.loaded(request, result)
    }
}

/// A restore is answered when its transactions arrive. Where there is nothing to restore none does, and the spinner
/// stays; where there are many the answer comes with the first batch.
///
/// https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/2
public final class RestoreNothingShop: BlindShop {
    override public class var name: String { "blind-restore-nothing" }
    override public class var summary: String { "Answers a restore when the restored transactions arrive." }

    override func updated(_ batch: [Delivery]) {
        super.updated(batch)
        guard batch.contains(where: { $0.state == .restored }) else { return }
        onMain { [self] in answerRestores(.restored(count: restored.count)) }
    }

    override func restoreFinished() {}
}

/// Whether StoreKit has ended the restore is noted, and never taken back. From the second restore on the first restored
/// transaction ends it: the user is told of one product, while the others are still on their way.
///
/// https://github.com/robotmedia/RMStore/pull/35
public final class RestoreFlagShop: BlindShop {
    override public class var name: String { "blind-restore-flag" }
    override public class var summary: String { "Does not take back that the restore before has finished." }

    private var hasFinished = false

    override func restored(_ told: Delivery) {
        super.restored(told)
        answerIfDone()
    }

    override func restoreFinished() {
        hasFinished = true
        answerIfDone()
    }

    private func answerIfDone() {
        if hasFinished { answerRestores(.restored(count: restored.count)) }
    }
}

/// What is restored counts as owned, without a look at the receipt. A subscription that ran out long ago is told too:
/// tapping "Restore" makes it free until the app looks at the receipt again.
///
/// https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/20
public final class ExpiredRestoredShop: BlindShop {
    override public class var name: String { "blind-expired-restored" }
    override public class var summary: String { "Unlocks whatever a restore tells, expired subscriptions too." }

    override func deliverRestored(_ told: Delivery) {
        if isConsumable(told.product) || balance(of: told.product) != 0 { return }
        let source = told.originalIdentifier ?? told.identifier ?? ""
        store([(Keys.balance(told.product), .integer(1)), (Keys.source(told.product), .text(source))])
    }
}
