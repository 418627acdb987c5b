// Which events of a device a reader of its story looks for.
// A value, fed in order of time.

import Judgement
import ReportModel
import Simulation

struct EventKinds {
    /// What was held of each product when it was last looked at.
    private var held: [ProductIndex: Int] = [:]

    /// Of the event that comes next.
    mutating func kind(of event: DeviceEvent) -> Report.TimelineEntry.Kind? {
        switch event {
        case .goods(let product, let count), .kept(let product, let count):
            let before = held.updateValue(count, forKey: product)
            if count > before ?? 0 { return .delivery }
            return before == nil ? .nothingHeld : nil
        case .crashed, .died, .overworked, .raised: return .crash
        case .delivered(let note): return note.state == .purchasing ? nil : .received
        case .removalDelivered, .revocationDelivered: return nil
        case .finishCalled, .foreignFinish: return .finish
        case .answered: return .answer
        case .lost: return .lost
        // The others are the way from one of these to the next.
        default: return nil
        }
    }
}
