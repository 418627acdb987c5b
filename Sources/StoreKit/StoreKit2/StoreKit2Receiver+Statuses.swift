// The statuses of subscriptions, as the device knows them.

import Simulation

extension StoreKit2Receiver {
    /// S64 to S68. Any task.
    nonisolated(nonsending) func statuses(of group: String) async -> [Product.SubscriptionInfo.Status] {
        await statuses { subscription, _ in subscription.group == group }
    }

    /// Of the subscription that a transaction belongs to. Any task.
    nonisolated(nonsending) func status(of transaction: UInt64) async -> Product.SubscriptionInfo.Status? {
        await statuses { subscription, record in
            record.purchases.contains { purchase in
                UInt64(purchase.id.number) == transaction
                    && (purchase.id == subscription.start || purchase.subscriptionStart == subscription.start)
            }
        }.first
    }

    private nonisolated(nonsending) func statuses(
        where isMeant: @escaping @Sendable (SubscriptionFacts, PurchaseRecord) -> Bool
    ) async -> [Product.SubscriptionInfo.Status] {
        let (record, _) = await readRecord()
        return await read { receiver in
            receiver.noteUse(.entitlements)
            // Where some cannot be verified, these statuses say nothing of the entitlements.
            if !receiver.device.mayFailToVerify { receiver.noteEntitlements([], in: record) }
            return record.subscriptions.filter { isMeant($0, record) }.compactMap { facts in
                record[facts.latest].map {
                    Product.SubscriptionInfo.Status(
                        facts, PurchaseFact($0, handle: 0, in: record), receiver.place, at: receiver.device.lane.now)
                }
            }
        }
    }
}
