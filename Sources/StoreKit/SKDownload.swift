// Content that Apple used to host for products.
// Constants, but for what a test sets by key; any thread.

@_exported public import CStoreKit
public import Foundation

/// What `SKDownload.timeRemaining` is as long as it is unknown.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Downloadable content of a transaction.
///
/// Apple stopped hosting content with iOS 16 (R61): no transaction has downloads, and those that client code makes
/// are told nothing.
open class SKDownload: NSObject {
    private var keyed = KeyedValues()

    public override init() { super.init() }

    /// Not started.
    open var state: SKDownloadState { keyed["state"] ?? .waiting }
    /// The same under the name it has on macOS.
    open var downloadState: SKDownloadState { keyed["downloadState"] ?? state }
    /// In bytes.
    open var expectedContentLength: Int64 { keyed["expectedContentLength"] ?? contentLength }
    /// In bytes; the older name.
    open var contentLength: Int64 { keyed["contentLength"] ?? 0 }
    /// Of the content, not of the product.
    open var contentIdentifier: String { keyed["contentIdentifier"] ?? "" }
    /// As the developer numbered it.
    open var contentVersion: String { keyed["contentVersion"] ?? "" }
    /// Where the finished download lies.
    open var contentURL: URL? { keyed.value("contentURL", else: nil) }
    /// Why it failed.
    open var error: (any Error)? { keyed.value("error", else: nil) }
    /// From 0 to 1.
    open var progress: Float { keyed["progress"] ?? 0 }
    /// In seconds, or `SKDownloadTimeRemainingUnknown`.
    open var timeRemaining: TimeInterval { keyed["timeRemaining"] ?? SKDownloadTimeRemainingUnknown }
    /// The transaction that the content belongs to.
    open var transaction: SKPaymentTransaction { keyed["transaction"] ?? SKPaymentTransaction() }

    /// Sets a property of a download that a test has made; states also from raw values.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "state", "downloadState": keyed.setCase(key, to: value, as: SKDownloadState.self, of: self)
        case "expectedContentLength", "contentLength": keyed.set(key, to: value, as: Int64.self, of: self)
        case "contentIdentifier", "contentVersion": keyed.set(key, to: value, as: String.self, of: self)
        case "contentURL": keyed.setOptional(key, to: value, as: URL.self, of: self)
        case "error": keyed.setOptional(key, to: value, as: (any Error).self, of: self)
        case "progress": keyed.set(key, to: value, as: Float.self, of: self)
        case "timeRemaining": keyed.set(key, to: value, as: TimeInterval.self, of: self)
        case "transaction": keyed.set(key, to: value, as: SKPaymentTransaction.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}
