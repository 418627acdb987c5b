// The device's network as apps look at it: by a path monitor, and by a class `Reachability` as most apps have one.

import ClientKit
import Dispatch
import Foundation
import Network
import RuntimePrograms
import Simulation
import StandaloneUse
import SystemConfiguration
import Testing

/// As tutorials write it.
private final class NetworkMonitor {
    private let monitor = NWPathMonitor()
    private let queue = DispatchQueue(label: "NetworkMonitor")
    private(set) var isConnected = false
    private(set) var connectionType: NWInterface.InterfaceType?

    func startMonitoring(_ changed: @escaping (Bool) -> Void) {
        monitor.pathUpdateHandler = { [weak self] path in
            self?.isConnected = path.status == .satisfied
            self?.connectionType = [.wifi, .cellular, .wiredEthernet].first { path.usesInterfaceType($0) }
            changed(path.status != .unsatisfied)
        }
        monitor.start(queue: queue)
    }

    func stopMonitoring() { monitor.cancel() }
}

/// As the class of that name is mostly made.
private final class Reachability {
    private let reference: SCNetworkReachability
    private var previous: SCNetworkReachabilityFlags?
    var whenChanged: ((Bool) -> Void)?

    init?(hostname: String) {
        guard let reference = SCNetworkReachabilityCreateWithName(nil, hostname) else { return nil }
        self.reference = reference
    }

    init?() {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout.size(ofValue: address))
        address.sin_family = sa_family_t(AF_INET)
        let made = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SCNetworkReachabilityCreateWithAddress(kCFAllocatorDefault, $0)
            }
        }
        guard let reference = made else { return nil }
        self.reference = reference
    }

    var isReachable: Bool {
        var flags = SCNetworkReachabilityFlags()
        guard SCNetworkReachabilityGetFlags(reference, &flags) else { return false }
        return flags.contains(.reachable) && !flags.contains(.connectionRequired) && !flags.contains(.isWWAN)
    }

    func startNotifier() -> Bool {
        let callback: SCNetworkReachabilityCallBack = { (_, flags, info) in
            guard let info = info else { return }
            Unmanaged<Reachability>.fromOpaque(info).takeUnretainedValue().changed(flags)
        }
        var context = SCNetworkReachabilityContext(
            version: 0, info: nil, retain: nil, release: nil, copyDescription: nil)
        context.info = UnsafeMutableRawPointer(Unmanaged<Reachability>.passUnretained(self).toOpaque())
        guard SCNetworkReachabilitySetCallback(reference, callback, &context) else { return false }
        return SCNetworkReachabilitySetDispatchQueue(reference, .main)
    }

    /// As older ones have it.
    func scheduleNotifier() {
        SCNetworkReachabilityScheduleWithRunLoop(
            reference, CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue)
    }

    func stopNotifier() {
        SCNetworkReachabilitySetCallback(reference, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(reference, nil)
        SCNetworkReachabilityUnscheduleFromRunLoop(
            reference, CFRunLoopGetMain(), RunLoop.Mode.default.rawValue as CFString)
    }

    private func changed(_ flags: SCNetworkReachabilityFlags) {
        guard previous != flags else { return }
        previous = flags
        whenChanged?(flags.contains(.reachable))
    }
}

@Suite(.aloneOnTheDevice) struct NetworkTests {
    @Test func networkMonitorIsOnlineOutsideARun() async {
        let monitor = NetworkMonitor()
        #expect(!monitor.isConnected)
        let isConnected = await withCheckedContinuation { done in monitor.startMonitoring { done.resume(returning: $0) }
        }
        #expect(isConnected && monitor.isConnected && monitor.connectionType == .wifi)
        monitor.stopMonitoring()
        #expect(Reachability()?.isReachable == true && Reachability(hostname: "apple.com")?.isReachable == true)
        let cellular = NWPathMonitor(requiredInterfaceType: .cellular)
        cellular.start(queue: .global())
        #expect(cellular.currentPath.status == .unsatisfied)
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct DeviceNetworkTests {
    /// Off for half of the time, ten seconds at a time.
    private static let spells = OfflineSpells(
        share: .init(partsPerBillion: 500_000_000), duration: .constant(10_000_000_000))

    @Test func monitorAndReachabilityFollowTheDevicesNetwork() {
        let bench = LinkBench(Self.spells)
        var (paths, reached): ([String], [String]) = ([], [])
        var kept: [AnyObject] = []
        let timeline = bench.timeline
        bench.run(for: .minutes(10)) {
            let monitor = NetworkMonitor()
            monitor.startMonitoring { paths.append("\(timeline.now.nanoseconds / 1_000_000_000) \($0)") }
            guard let reachability = Reachability() else { return }
            paths.append("\(reachability.isReachable)")
            reachability.whenChanged = { reached.append("\(timeline.now.nanoseconds / 1_000_000_000) \($0)") }
            #expect(reachability.startNotifier())
            reachability.scheduleNotifier()
            kept = [monitor, reachability]
        }
        // The first is where it began; from there on one after the other, and ten seconds at a time without a network.
        #expect(paths.count > 20)
        let states = paths.dropFirst().map { $0.hasSuffix("true") }
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
        #expect(paths[0] == "\(states[0])" && paths[1].hasPrefix("0 "))
        #expect(reached == Array(paths.dropFirst(2)))
        let times = paths.dropFirst().map { Int($0.prefix { $0 != " " }) ?? -1 }
        for (place, time) in times.enumerated().dropFirst(1) where states[place] && place > 1 {
            #expect((9...11).contains(time - times[place - 1]))
        }
        // Each stops when it is told to.
        let count = paths.count
        bench.run(for: .minutes(5)) { kept.compactMap { $0 as? NetworkMonitor }.forEach { $0.stopMonitoring() } }
        #expect(paths.count == count && reached.count > count)
        let reachedBefore = reached.count
        bench.run(for: .minutes(5)) { kept.compactMap { $0 as? Reachability }.forEach { $0.stopNotifier() } }
        #expect(reached.count == reachedBefore)
    }

    @Test func networkReturnsWhenTheRunSettles() {
        let bench = LinkBench(OfflineSpells(share: .all, duration: .constant(1_000_000_000)))
        var states: [Bool] = []
        var kept: AnyObject?
        bench.run(for: .seconds(5)) {
            let monitor = NetworkMonitor()
            monitor.startMonitoring { states.append($0) }
            kept = monitor
        }
        #expect(states == [false])
        bench.device.beginSettling()
        bench.run(for: .seconds(1)) {}
        #expect(states == [false, true] && kept != nil)
    }
}

/// A device under the virtual clock whose network comes and goes.
private final class LinkBench {
    let timeline = VirtualTimeline()
    let device: Device

    init(_ spells: OfflineSpells) {
        let store = SimulatedAppStore(
            lane: timeline, catalog: .empty, conditions: StoreConditions(), behaviour: StoreBehaviour(),
            buyers: BuyerBehaviour(), seed: 1, cell: 0, users: 0..<1)
        store.openAccount(user: 0, owned: [], unfinished: [])
        var link = LinkConditions()
        link.offline = spells
        device = Device(
            lane: timeline, store: store, user: 0, link: link, app: AppConditions(), crashFaults: [], seed: 1)
        _ = device.launch()
    }

    func run(for span: Span, _ body: @escaping () -> Void) {
        if let process = device.process { device.schedule { process.enter(.launch, body) } }
        var isOver = false
        timeline.schedule(after: span) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }
}
