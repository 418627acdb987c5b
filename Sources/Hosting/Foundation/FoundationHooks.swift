// What client code asks Foundation for, and gets from its device.
// Called by the thread that runs client code.

internal import CRuntime
import Dispatch
import Foundation
import Simulation
import StoreKit

package enum FoundationHooks {
    /// Puts them in place, once in a process and before any client code runs.
    package static func install() { _ = installed }

    private static let installed: Void = {
        var calls = stampede_foundation()
        calls.standard_defaults = { Unmanaged.passRetained(CurrentDevice.defaults).toOpaque() }
        calls.new_defaults = calls.standard_defaults
        calls.main_operation_queue = { Unmanaged.passRetained(CurrentDevice.mainOperationQueue).toOpaque() }
        calls.suite_defaults = {
            CurrentDevice.defaults(ofSuite: Self.text($0, $1)).map { Unmanaged.passRetained($0).toOpaque() }
        }
        calls.notification_center = { Unmanaged.passRetained(CurrentDevice.notificationCenter).toOpaque() }
        calls.url_session = { CurrentDevice.urlSession.map { Unmanaged.passRetained($0).toOpaque() } }
        calls.web_storage = { CurrentDevice.webStorage.map { Unmanaged.passRetained($0).toOpaque() } }
        calls.environment = { AppFolders.environment($0) }
        calls.search_urls = { AppFolders.urls($0, $1).map { Unmanaged.passRetained($0).toOpaque() } }
        calls.receipt_url = { words in
            guard let words, let url = CurrentDevice.appStoreReceiptURL else { return }
            UnsafeMutableRawPointer(words).initializeMemory(as: URL?.self, to: url)
        }
        calls.fire_timer = { Self.timer($0).fire() }
        calls.timer_date = { Self.timer($0).fireDate.timeIntervalSinceReferenceDate }
        calls.timer_interval = { Self.timer($0).isValid ? Self.timer($0).timeInterval : -1 }
        stampede_foundation_install(&calls)
        RefusedProcess.install()
    }()

    /// Takes over a string as an initialiser is given it.
    private static func text(_ first: UInt, _ second: UInt) -> String? {
        unsafeBitCast((first, second), to: String?.self)
    }

    private static func timer(_ pointer: UnsafeMutableRawPointer?) -> Timer {
        // The runtime gives back what it was given, and never nothing.
        Unmanaged<Timer>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
    }
}
