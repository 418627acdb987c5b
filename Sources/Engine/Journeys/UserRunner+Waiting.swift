// How a user waits for the app's answers, and for how long.
// Part of `UserRunner`; on the lanes of the user's devices.

import Judgement
import Simulation

extension UserRunner {
    func wait(for requests: [Int], atMost limit: Span) -> StepResult {
        if requests.isEmpty { return .done }
        return wait(.several(requests), atMost: limit)
    }

    func wait(_ asked: UserState.Asked, atMost limit: Span) -> StepResult {
        guard state.asks(asked) else { return .wait }
        deadline = device.lane.now + limit
        cell.journeyCounts?.waitBegins(atMost: limit)
        setAlarm()
        if !device.lane.isVirtual, !device.hearsNews { lookForRest(until: deadline, restingSince: nil) }
        return .wait
    }

    /// One alarm a user, set anew only when it rings too late: most waits end long before.
    private func setAlarm() {
        if let alarm {
            if alarm.due <= deadline { return }
            device.lane.cancel(alarm.ticket)
        }
        let due = deadline
        let ticket = device.lane.schedule(after: max(.zero, due - device.lane.now)) { [self] in
            alarm = nil
            guard state.isAsking else { return }
            if device.lane.now < deadline { return setAlarm() }
            totals.unknownSteps += 1
            resume()
        }
        alarm = (ticket, due)
    }

    /// Real time passes while a user waits: where the app, StoreKit and the store have nothing under way, and nothing comes from
    /// elsewhere, no answer can come any more, and the user waits a few seconds instead of minutes.
    private func lookForRest(until end: Instant, restingSince: Instant?) {
        device.lane.schedule(after: .seconds(1)) { [self] in
            // Another wait, or none, is under way.
            guard state.isAsking, deadline == end, device.lane.isCurrent else { return }
            let now = device.lane.now
            if device.process == nil || device.underWay > 0 { return lookForRest(until: end, restingSince: nil) }
            let since = restingSince ?? now
            if now - since < Self.restMax { return lookForRest(until: end, restingSince: since) }
            totals.unknownSteps += 1
            resume()
        }
    }

    /// How long nothing is under way before the user goes on, in real time.
    private static let restMax = Span.seconds(10)

    /// An answer came: goes on if it was the last one waited for.
    func answered(_ number: Int, on userDevice: UserDevice) {
        guard let place = userDevice.pending.firstIndex(where: { $0.number == number }) else { return }
        userDevice.pending.remove(at: place)
        guard state.isAnswered(number, pending: pending) else { return }
        // Not from inside the client's callback: it has work to do after it has answered.
        device.lane.send { [self] in advance() }
    }
}
