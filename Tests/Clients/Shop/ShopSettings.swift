// What a module of an app exports: public functions whose default arguments are the main queue, the defaults, the receipt.

import StoreKit

public struct ShopSettings {
    public let queue: DispatchQueue
    public let defaults: UserDefaults
    public let receipt: URL?
    public let from: DispatchTime
    public let isOnMain: Bool

    public init(
        queue: DispatchQueue = .main, defaults: UserDefaults = .standard,
        receipt: URL? = Bundle.main.appStoreReceiptURL, from: DispatchTime = .now(),
        isOnMain: Bool = Thread.isMainThread
    ) {
        self.queue = queue
        self.defaults = defaults
        self.receipt = receipt
        self.from = from
        self.isOnMain = isOnMain
    }

    public func later(
        _ body: @escaping () -> Void,
        by scheduler: (@escaping () -> Void) -> Void = { work in DispatchQueue.main.async { work() } }
    ) { scheduler(body) }
}
