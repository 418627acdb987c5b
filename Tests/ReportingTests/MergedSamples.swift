// What parts of a population did, for the tests of merging.

import Metrics

extension Tally {
    /// What one half of a population did, the whole of it, or a third machine's part of much longer.
    func record(purchasers samples: some Sequence<Int64>) {
        for sample in samples {
            let origin = SampleOrigin(entry: Int(sample % 5), begunAt: sample * 40_000_000)
            record(
                purchase: sample * sample * 3_777, sample % 4 == 0 ? .failure : sample % 9 == 1 ? .deferred : .success,
                of: origin)
            if sample % 6 == 0 { instant(.purchaseDuration, of: origin) }
            if sample % 4 == 0 {
                count(
                    failed: sample % 8 == 0 ? "paymentCancelled" : "none", at: sample > 100 ? .deciding : .instant,
                    of: origin)
            }
            if sample % 3 == 0 { recordService(.purchaseDuration, nanoseconds: sample * 4_000) }
            record(.observerCallbackTime, nanoseconds: sample * 17)
            rate(.purchaseSuccess, passed: sample % 7 != 0, of: origin)
            count(.faults, tag: sample % 2 == 0 ? "crash" : "offline")
            count(.purchases, of: origin)
            place(.purchases, at: sample * 40_000_000)
            place(purchaseDuration: sample * sample * 3_777, at: sample * 40_000_000)
            place(activeFrom: sample * 10_000_000, to: sample * 40_000_000)
            var stages = PurchaseStages()
            stages.sending = sample * 1_000_000
            stages.deciding = sample * 2_000_000
            record(stages)
        }
        declare(.violations)
        measureLevels(until: 80_000_000_000)
    }
}
