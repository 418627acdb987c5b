// The magazine app's purchases, in the middle of their move to StoreKit 2.

import Foundation
import StoreKit

public final class Kiosk: Sendable {
    public let shelf: Shelf
    private let newCounter: NewCounter
    private let oldCounter: OldCounter

    /// - Parameter listsApart: each counter has its own list of what was delivered.
    public init(listsApart: Bool = false) {
        shelf = Shelf(listsApart: listsApart)
        let till = Till()
        newCounter = NewCounter(shelf, till)
        oldCounter = OldCounter(shelf, till, newCounter)
    }

    /// When the app has launched: from here on the app hears what either API says.
    public func open() {
        oldCounter.open()
        newCounter.open()
    }

    public func close() { oldCounter.close() }
    public func comesForward() { newCounter.readEntitlements() }

    public func buy(_ ware: String, quantity: Int = 1) async throws -> Outcome {
        ware == Ware.issues ? try await oldCounter.buyIssues(quantity) : try await newCounter.buy(ware)
    }

    /// Returns how many wares the reader has for good, or for now.
    public func restore() async throws -> Int {
        try await AppStore.sync()
        _ = await newCounter.readEntitlements().value
        return Ware.all.count { shelf.has($0) }
    }
}
