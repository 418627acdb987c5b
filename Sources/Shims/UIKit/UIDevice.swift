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
    public var identifierForVendor: UUID? { process.device.identifierForVendor }
}
