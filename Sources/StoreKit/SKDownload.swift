// Content that Apple used to host for products.
// Constants, except values that a test sets by key; any thread.

@_exported public import CStoreKit
public import Foundation

/// The value of `SKDownload.timeRemaining` while the time is unknown.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Downloadable content of a transaction, which no transaction has.
///
/// Apple stopped hosting content with iOS 16 (R61). StoreKit reports nothing about downloads that client code makes.
open class SKDownload: NSObject {
    private var keyed = KeyedValues()

    public override init() { super.init() }

    /// The state; `.waiting` unless a test sets it.
    open var state: SKDownloadState { keyed["state"] ?? .waiting }
    /// The state, under its name on macOS.
    open var downloadState: SKDownloadState { keyed["downloadState"] ?? state }
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { keyed["expectedContentLength"] ?? contentLength }
    /// The length of the content in bytes, under its older name.
    open var contentLength: Int64 { keyed["contentLength"] ?? 0 }
    /// The identifier of the content, which is not the product's.
    open var contentIdentifier: String { keyed["contentIdentifier"] ?? "" }
    /// The version that the developer gave the content.
    open var contentVersion: String { keyed["contentVersion"] ?? "" }
    /// The place of the finished download.
    open var contentURL: URL? { keyed.value("contentURL", else: nil) }
    /// The reason why the download failed.
    open var error: (any Error)? { keyed.value("error", else: nil) }
    /// The share that is downloaded, from 0 to 1.
    open var progress: Float { keyed["progress"] ?? 0 }
    /// The time left in seconds, or `SKDownloadTimeRemainingUnknown`.
    open var timeRemaining: TimeInterval { keyed["timeRemaining"] ?? SKDownloadTimeRemainingUnknown }
    /// The transaction to which the content belongs.
    open var transaction: SKPaymentTransaction { keyed["transaction"] ?? SKPaymentTransaction() }

    /// Sets a property by key, for a download that a test has made. States can be set by raw value too.
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
