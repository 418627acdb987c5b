// How a user's part in the run ends: everything brought to rest, judged, and let go of.
// Part of `UserRunner`; on the lanes of the user's devices.

import Clients
import Scenario
import Simulation

extension UserRunner {
    /// The user has had its time: a journey that is under way goes no further.
    func breakOff() {
        if isSettling { return }
        if activeSince != nil { totals.interruptedIterations += 1 }
        settle()
    }

    /// Brings the links back, launches the app once more on every device and waits until nothing is under way.
    func settle() {
        if isSettling { return }
        isSettling = true
        becomeIdle()
        frames = []
        waiting = .time
        totals.journeyEnd = device.lane.now
        cell.journeysEnded(user)
        beginSettling(0)
    }

    private func beginSettling(_ place: Int) {
        if place == seats.count { return relaunch(0) }
        take(place) { [self] in
            terminate()
            let goOn = Crossing { [self] in beginSettling(place + 1) }
            device.beginSettling(goOn.body)
        }
    }

    private func relaunch(_ place: Int) {
        if place == seats.count { return }
        take(place) { [self] in
            isInStep = true
            launch()
            isInStep = false
            let seat = seat
            if device.process == nil {
                settled(seat)
            } else {
                // Weak: the lane keeps the first of them long after the user has been judged.
                device.lane.schedule(after: cell.settleLimit) { [weak self, weak seat] in self?.settled(seat) }
                device.whenQuiet { [weak self, weak seat] in self?.settled(seat) }
            }
            relaunch(place + 1)
        }
    }

    private func settleOtherAccounts(_ place: Int) {
        if place == seats.count { return relaunch(0) }
        take(place) { [self] in
            terminate()
            device.whenQuiet { [self] in
                device.switchAccount()
                let goOn = Crossing { [self] in settleOtherAccounts(place + 1) }
                device.settleAccount(goOn.body)
            }
            seat.isSettled = false
        }
    }

    /// Judges as soon as the last device has come to rest.
    private func settled(_ seat: Seat?) {
        seat?.isSettled = true
        if isJudged || !seats.allSatisfy(\.isSettled) { return }
        // What is unfinished on the other account is delivered when that one is signed in.
        if cell.material.hasSecondAccounts, !hasSettledOtherAccounts {
            hasSettledOtherAccounts = true
            return settleOtherAccounts(0)
        }
        isJudged = true
        if let alarm { device.lane.cancel(alarm.ticket) }
        let devices = seats.map { seat in
            seat.device.process?.record(.settled)
            let held = goodsHeld(seat)
            return DeviceRecord(
                history: seat.device.takeHistory(), held: held, counts: seat.device.counts,
                callbackTimes: seat.device.callbackTimes, requestFailures: seat.device.requestFailures)
        }
        for seat in seats {
            seat.device.shutDown()
            seat.client = nil
        }
        cell.judge(UserRecord(user: user, devices: devices, totals: totals))
    }

    /// Goods of every product, in the catalog's order, as durable storage has them.
    func goodsHeld(_ seat: Seat) -> [Int] {
        var held: [String: Int] = [:]
        let ask = { held = seat.client?.holdings() ?? [:] }
        if let process = seat.device.process { process.enter(.holdings, ask) } else { ask() }
        return cell.products.map { held[$0.identifier] ?? 0 }
    }
}
