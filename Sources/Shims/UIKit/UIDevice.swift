// The phone, as the app sees it.
// On the main actor, as on Apple's systems.

public import Foundation
internal import Simulation
internal import StoreKit

public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay, mac = 5, vision
}

/// A simulated phone. Phones differ only in their identifier.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    nonisolated private let process: AppProcess

    nonisolated private init(_ process: AppProcess) { self.process = process }

    /// The simulated device whose app is running.
    public static var current: UIDevice {
        let process = CurrentProcess.found(for: "UIDevice.current")
        return process.processObject(UIDevice.self) { UIDevice(process) }
    }

    public var name: String { "iPhone" }
    public var model: String { "iPhone" }
    public var localizedModel: String { "iPhone" }
    public var systemName: String { "iOS" }
    public var systemVersion: String { "17.5" }
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }

    /// An identifier of the app's installation on this device.
    /// It is the same at each launch, and new after the app was deleted and installed again.
    public var identifierForVendor: UUID? {
        let device = process.device
        let place = UInt64(device.user) << 24 ^ UInt64(device.number) << 16 ^ UInt64(device.installations)
        return UUID(uuid: unsafeBitCast((Self.mixed(place), Self.mixed(~place)), to: uuid_t.self))
    }

    /// Spreads a difference in a few bits over all bits; the mapping cannot be undone.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
