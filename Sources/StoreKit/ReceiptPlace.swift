// Where an app finds its receipt.
// Any thread.

import Foundation

/// Who knows where the receipt of the calling app is. Set once, before any client code runs.
package enum ReceiptPlace {
    nonisolated(unsafe) package static var find: (@Sendable () -> URL?)?  // Guard: written before it is read.
}

extension Bundle {
    /// The receipt of the app that asks, as a file that can be opened: a copy as the device has it now. Nil before the first
    /// purchase, and where no harness runs.
    public var appStoreReceiptURL: URL? { self === Bundle.main ? ReceiptPlace.find?() : nil }
}
