// What the person does when the app ends under their hands.
// Guard: the device's lane.

import Judgement
import Simulation

extension UserRunner {
    func crashed(_ crashed: UserDevice) {
        crashed.pending.removeAll()
        // The person gives up on an app that the system had to end.
        if crashed.device.isOverworked, !state.isSettling {
            crashed.device.lane.send { [self] in breakOff() }
            return
        }
        // A device that lies in a drawer may crash unnoticed.
        if crashed !== userDevice { return }
        switch step.appEnds() {
        case .within: return
        case .between:
            guard state.isAsking else { return }
            totals.unknownSteps += 1
        case .abandoned:
            // The launch that waited does not come back.
            if state.isSettling { return device.lane.send { [self] in settlingLaunchEnded() } }
            totals.unknownSteps += 1
            // The run tries one launch after another, but not for ever.
            if device.hasDied, launchFails() { return device.lane.send { [self] in breakOff() } }
        }
        relaunchLater()
    }

    func relaunchLater() {
        state.pauses()
        let pause = cell.app.relaunchAfter.drawSpan(&relaunchChance)
        device.lane.schedule(after: pause) { [self] in resume() }
    }
}
