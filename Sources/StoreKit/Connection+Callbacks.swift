// How StoreKit calls client code: on which queue, in which order, and which events wait meanwhile.
// On the lane.

internal import Simulation

extension Connection {
    /// One callback in so many is timed in real time: reading the clock twice for each would cost more than it shows.
    static let callbacksPerSample = 16

    /// Calls every observer of every queue; stops when a callback crashes the process.
    func tell(_ callback: ObserverCallback) {
        // Nearly every app has one queue with one observer on its main queue, and needs no list and no closure.
        let isAtOnce = process.device.rules.callbackQueue == .main
        if isAtOnce, let (queue, observer) = soleObserver {
            return callHere(.observer) { callback.make(to: observer, of: queue) }
        }
        let audience = audience
        let isNamed = isAtOnce && audience.count > 1
        call(.observer) { [self, deliversAfterRemoval] in
            for (queue, observer) in audience where process.isAlive {
                // R9: an observer may have been removed meanwhile, for instance by another observer.
                guard deliversAfterRemoval || queue.holds(observer) else { continue }
                if isNamed { calledObserver = observer }
                callback.make(to: observer, of: queue)
                if isNamed { calledObserver = nil }
            }
        }
    }

    /// Runs client code on the device's main queue, or on the queue that the R7 knob chooses.
    func call(_ kind: ClientCall, _ body: @escaping () -> Void) {
        let device = process.device
        guard device.callsBack(on: device.rules.callbackQueue) else { return callHere(kind, body) }
        let isSampled = isSampled()
        isCallingBack = true
        device.callInBackground(process, kind, body) { [self] nanoseconds in
            if isSampled { device.callbackTimes.append(nanoseconds) }
            isCallingBack = false
            goOn()
        }
    }

    private func callHere(_ kind: ClientCall, _ body: () -> Void) {
        let began = isSampled() ? HostClock.nanoseconds : 0
        enter(kind, body)
        if began != 0 { process.device.callbackTimes.append(HostClock.nanoseconds - began) }
    }

    /// Runs client code on the device's main queue. The code may wait there, or for that queue.
    func enter(_ kind: ClientCall, _ body: () -> Void) {
        // Within another callback, if client code caused this event and its callback is due at once.
        let isWithin = isCallingBack
        isCallingBack = true
        process.enter(kind, body)
        isCallingBack = isWithin
        if !isWithin, !handlesWaiting { goOn() }
    }

    /// A callback has returned: the events that arrived meanwhile are handled.
    private func goOn() {
        handlesWaiting = true
        while !isCallingBack, !waiting.isEmpty { handle(waiting.removeFirst()) }
        handlesWaiting = false
        if isCallingBack || !leaversMayGo { return }
        leaversMayGo = false
        for queue in liveQueues { queue.letLeaversGo() }
    }

    /// Everything that the daemon had sent to a removed observer has arrived.
    func letLeaversGo() {
        leaversMayGo = true
        if !isCallingBack { goOn() }
    }

    private func isSampled() -> Bool {
        callbacks += 1
        return callbacks % Self.callbacksPerSample == 1
    }
}
