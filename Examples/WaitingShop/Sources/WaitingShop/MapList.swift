// The rows of the screen with the maps; the table view draws them.

import Foundation
import StoreKit

/// Belongs to the main queue.
public final class MapList: NSObject {
    public struct Row {
        public let product: String
        public let button: String
        public let isEnabled: Bool
    }

    public private(set) var rows: [Row] = []
    public private(set) var alert: String?
    /// The table view loads itself anew.
    public var onChange: (() -> Void)?

    private let store: MapStore
    private var buying: Set<String> = []
    private var observation: NSObjectProtocol?

    public init(store: MapStore = .shared) {
        self.store = store
        super.init()
        observation = NotificationCenter.default.addObserver(
            forName: MapFile.didChange, object: store.maps, queue: .main
        ) { [weak self] _ in self?.reload() }
    }

    deinit { observation.map { NotificationCenter.default.removeObserver($0) } }

    public func viewDidAppear() {
        store.fetch(Products.all) { result in
            if case .failure(let error) = result { self.alert = error.localizedDescription }
            self.reload()
        }
    }

    public func tap(_ row: Row) {
        buying.insert(row.product)
        reload()
        store.buy(row.product) { outcome in
            self.buying.remove(row.product)
            switch outcome {
            case .bought: self.alert = nil
            case .needsApproval: self.alert = "Your family has been asked."
            case .failed(let error as SKError) where error.code == .paymentCancelled: self.alert = nil
            case .failed(let error): self.alert = error.localizedDescription
            }
            self.reload()
        }
    }

    public func tapRestore() {
        store.restore { result in
            switch result {
            case .success(let count): self.alert = count == 0 ? "There was nothing to restore." : nil
            case .failure(let error): self.alert = error.localizedDescription
            }
            self.reload()
        }
    }

    private func reload() {
        let owned = store.maps.owned
        rows = Products.all.sorted().map { product in
            let isOwned = product != Products.stamps && owned[product] ?? 0 > 0
            return Row(
                product: product, button: isOwned ? "Open" : store.priceText(of: product) ?? "…",
                isEnabled: isOwned || !buying.contains(product))
        }
        onChange?()
    }
}
