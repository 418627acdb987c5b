// What made the app act: what reached it in the instant in which it did.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    /// What reached the app last in the very instant of a moment, and before it: `when the user asked to restore
    /// (request 7)`. Nil: nothing did.
    func trigger(of moment: Moment) -> String? {
        let events = story.input.events[..<Int(moment.place)].reversed()
        let instant = events.prefix { $0.at == moment.at && $0.process == moment.process }
        for record in instant {
            guard let trigger = words(for: record).trigger else { continue }
            let told = story.queue.tellings.last { $0.moment < moment && $0.moment.at == moment.at }
            guard let told, case .delivered(told.note) = record.event else { return trigger }
            let batch = story.batch(endingWith: told)
            if batch == 1 { return trigger }
            let last = "\(name(told.note)) as \(told.note.state.words)"
            return "when StoreKit delivered \(batch) transactions, the last of them \(last)"
        }
        return nil
    }
}
