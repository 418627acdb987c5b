// How a user's part in the run ends: everything brought to rest, judged, and let go of.
// Part of `UserRunner`; on the lanes of the user's devices.

import ClientKit
import Judgement
import Scenario
import Simulation

/// How far a user's devices have come to rest.
struct ComingToRest {
    /// Launches for the account that is signed in, including the launch under way.
    var launches = 0
    /// One of them went on for longer than devices are waited for.
    var hasReachedLimit = false
    var hasSettledOtherAccounts = false

    /// An app may need several launches to complete its work: it validates in the first, delivers in the second,
    /// finishes in the third. If the last launch still changes something, the app is judged as it is then.
    static let launchesMax = 5

    /// Whether the app is launched once more, because the last launch changed something.
    var allowsLaunch: Bool { launches < (hasReachedLimit ? 2 : Self.launchesMax) }
}

extension UserRunner {
    /// The user has had its time: a journey that is under way goes no further.
    func breakOff() {
        if state.isSettling { return }
        if activeSince != nil { totals.interruptedIterations += 1 }
        settle()
    }

    /// The run ends before its time.
    func cutShort() {
        isCutShort = true
        breakOff()
    }

    /// Brings the links back and launches the app on every device, until nothing is under way, the store has nothing
    /// left to do by itself, and a launch changes nothing any more.
    func settle() {
        guard state.journeysEnd() else { return }
        becomeIdle()
        cursor = StepCursor()
        totals.journeyEnd = device.lane.now
        cell.journeysEnded(user)
        beginSettling(0)
    }

    private func beginSettling(_ place: Int) {
        if place == userDevices.count { return settleAccounts { [self] _ in relaunch(0) } }
        take(place) { [self] in
            terminate()
            device.beginSettling()
            beginSettling(place + 1)
        }
    }

    /// Makes the store do now everything that it would still do for the user's accounts.
    /// Calls `then` on the first device's lane with whether the store acted.
    private func settleAccounts(_ then: @escaping (Bool) -> Void) {
        take(0) { [self] in
            guard device.hearsNews else { return then(false) }
            let (store, lane, then) = (cell.store, device.lane, SettlingContinuation(body: then))
            store.lane.send { [user] in
                let hasActed = store.settle(user: user)
                lane.send { then.body(hasActed) }
            }
        }
    }

    /// As `UnsafeTransfer`, with whether the store has acted.
    private struct SettlingContinuation: @unchecked Sendable { let body: (Bool) -> Void }

    private func relaunch(_ place: Int) {
        if place == userDevices.count { return }
        if place == 0 {
            rest.launches += 1
            for userDevice in userDevices { userDevice.isSettled = false }
        }
        take(place) { [self] in
            terminate()
            userDevice.settlingLaunchBegins()
            if launchInStep() { settlingLaunchEnded() }
        }
    }

    /// Of the device that the user holds.
    func settlingLaunchEnded() {
        awaitRest(userDevice)
        relaunch((userDevices.firstIndex { $0 === userDevice } ?? 0) + 1)
    }

    private func awaitRest(_ userDevice: UserDevice) {
        guard userDevice.device.process != nil else { return settled(userDevice) }
        let launch = rest.launches
        // Weak: the lane keeps the first of them long after the user has been judged.
        userDevice.device.lane.schedule(after: cell.settleLimit) { [weak self, weak userDevice] in
            guard let self, let userDevice, !userDevice.isSettled, rest.launches == launch, state != .judged else {
                return
            }
            rest.hasReachedLimit = true
            settled(userDevice)
        }
        userDevice.device.whenQuiet { [weak self, weak userDevice] in
            if let self, let userDevice { settled(userDevice) }
        }
    }

    /// Goes on as soon as the last device has come to rest.
    private func settled(_ userDevice: UserDevice) {
        if userDevice.isSettled || state == .judged { return }
        userDevice.isSettled = true
        guard userDevices.allSatisfy(\.isSettled) else { return }
        settleAccounts { [self] hasActed in
            if state == .judged { return }
            // What the store has done may be on its way to a device.
            let isAwaited = hasActed || userDevices.contains { $0.device.isAwaited }
            if !isAwaited || rest.hasReachedLimit { return rested() }
            for userDevice in userDevices { userDevice.isSettled = false }
            awaitRest(0)
        }
    }

    private func awaitRest(_ place: Int) {
        if place == userDevices.count { return }
        take(place) { [self] in
            awaitRest(userDevice)
            awaitRest(place + 1)
        }
    }

    /// Nothing is under way. On the first device's lane.
    private func rested() {
        let isChanging = userDevices.contains(where: \.mayChange)
        // The run does not wait for an app that would only die again.
        let isGivenUp = isCutShort && userDevices.contains { $0.device.counts.exceptions > 0 }
        if isChanging, rest.allowsLaunch, !isGivenUp { return relaunch(0) }
        // What is unfinished on the other account is delivered when that one is signed in.
        if cell.setup.hasSecondAccounts, !rest.hasSettledOtherAccounts {
            rest = ComingToRest(hasSettledOtherAccounts: true)
            return settleOtherAccounts(0)
        }
        judge(isChanging: isChanging)
    }

    private func settleOtherAccounts(_ place: Int) {
        if place == userDevices.count { return relaunch(0) }
        take(place) { [self] in
            userDevice.heldOnFirstAccount = goodsHeld(userDevice)
            terminate()
            device.whenQuiet { [self] in
                device.switchAccount()
                settleOtherAccounts(place + 1)
            }
        }
    }

    private func judge(isChanging: Bool) {
        state.isJudged()
        if let alarm { device.lane.cancel(alarm.ticket) }
        let held = userDevices.map { userDevice in
            // A server that does not exist has a remark of its own.
            if userDevice.device.isGoingRound, !userDevice.device.asksForMissingServer {
                userDevice.device.process?.remarkEndless()
            }
            userDevice.device.process?.settles(
                .init(
                    launches: Int32(rest.launches), isChanging: isChanging,
                    underWay: Int32(userDevice.device.underWayForApp)))
            return goodsHeld(userDevice)
        }
        let devices = zip(userDevices, held).map { userDevice, held in
            // The process holds its client to the end, and lets go of it among its own data, which may be its death.
            userDevice.client = nil
            userDevice.process = nil
            userDevice.device.shutDown()
            return SettledDevice(
                events: userDevice.device.takeEvents(), writtenPlaces: userDevice.device.takeWrittenPlaces(),
                names: userDevice.device.takeNames(), held: held, heldOnFirstAccount: userDevice.heldOnFirstAccount,
                missedMethods: userDevice.device.missedMethods, usesStoreKit2: userDevice.device.usesStoreKit2,
                receiptTolerance: userDevice.device.receiptTolerance,
                counts: userDevice.device.counts,
                callbackTimes: userDevice.device.callbackTimes,
                requestFailures: userDevice.device.requestFailures, log: userDevice.device.takeLog())
        }
        cell.judge(SettledUser(user: user, devices: devices, totals: totals))
    }

    /// Goods of every product, in the catalog's order, as durable storage has them.
    func goodsHeld(_ userDevice: UserDevice) -> [Int] {
        // A launch that died before it made a client cannot be asked: the goods seen last stand.
        guard let client = userDevice.client, let process = userDevice.process else {
            return userDevice.device.goodsSeen
        }
        var held: [String: Int]?
        process.readGoods { held = process.held(by: client) }
        guard let held else { return userDevice.device.goodsSeen }
        return cell.products.map { held[$0.identifier] ?? 0 }
    }
}
