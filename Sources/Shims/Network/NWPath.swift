// The state of the network, as a monitor finds it.
// Values; any thread.

@_exported public import Foundation

/// A way to the network. A simulated device has one interface, Wi-Fi, while it is online.
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public enum UnsatisfiedReason: Sendable {
        case notAvailable
        case cellularDenied
        case wifiDenied
        case localNetworkDenied
        case vpnInactive
    }

    public let status: Status
    public let availableInterfaces: [NWInterface]

    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }
    public var isExpensive: Bool { false }
    public var isConstrained: Bool { false }
    public var supportsDNS: Bool { status == .satisfied }
    public var supportsIPv4: Bool { status == .satisfied }
    public var supportsIPv6: Bool { status == .satisfied }

    init(isOnline: Bool, required: NWInterface.InterfaceType?, prohibited: [NWInterface.InterfaceType]) {
        availableInterfaces = isOnline ? [.wifi] : []
        let isUsable = availableInterfaces.contains {
            (required == nil || required == $0.type) && !prohibited.contains($0.type)
        }
        status = isUsable ? .satisfied : .unsatisfied
    }

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        status == .satisfied && availableInterfaces.contains { $0.type == type }
    }
}

/// A network interface of the device.
public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }

    public let name: String
    public let type: InterfaceType
    public let index: Int

    static let wifi = NWInterface(name: "en0", type: .wifi, index: 1)
}
