// How many goods the app holds, read when they may have changed, and what the user has used of them.
// Guard: as the process, confined to the device's lane.

/// Goods of a product that are still to come.
struct AwaitedGoods {
    let product: ProductIndex
    var held: Int
    /// How many arrivals are waited for.
    var count: Int
}

/// What is known of the goods that an app holds, in one launch.
struct GoodsWatch {
    /// Products of transactions that were delivered and whose goods have not been seen yet.
    var awaited: [AwaitedGoods] = []
    /// Of each product, how many goods were last noted; empty before the first.
    var noted: [Int?] = []
    /// Goods that the user has used, and the app has yet to take away.
    var uses: [(product: ProductIndex, held: Int, count: Int)] = []
}

extension AppProcess {
    /// Goods that are waited for may have come without a write: out of the receipt, for one.
    package func lookForGoods() { if !goods.awaited.isEmpty { _ = noticeAwaited() } }

    /// The same, but only if some of this product are still to come.
    package func lookForGoods(of product: ProductIndex?) {
        if let product, !isMissing(product) { return }
        lookForGoods()
    }

    /// What stands under a key, and a crash now would leave there. Any thread.
    package func durableValue(_ key: String) -> StorageValue? { device.storedValue(key, isDurable: true) }

    private func isAwaited(_ product: ProductIndex) -> Bool { goods.awaited.contains { $0.product == product } }

    private func isMissing(_ product: ProductIndex) -> Bool {
        goods.awaited.contains { $0.product == product && $0.count > 0 }
    }

    package func awaitGoods(_ product: ProductIndex?, count: Int) {
        guard let product, let goodsHeld else { return }
        let now = readGoods(orElse: device.goodsSeen[product]) { goodsHeld(product) }
        note(product, now)
        if let place = goods.awaited.firstIndex(where: { $0.product == product }) {
            goods.awaited[place].held = now
            goods.awaited[place].count += count
        } else {
            goods.awaited.append(AwaitedGoods(product: product, held: now, count: count))
        }
    }

    /// A restore may bring any product, and must not bring some: watch them all.
    package func awaitAllGoods() {
        for product in device.edition.catalog.products { awaitGoods(product.index, count: 1_000_000) }
    }

    /// Something became durable: did goods that were waited for come with it?
    package func noticeDurableWrite() {
        // What a deleted app has left in the keychain is noted as such first.
        if let goodsHeld, goods.awaited.isEmpty ? isUp && !device.leftSecrets : !noticeAwaited() {
            noteOtherGoods(goodsHeld)
        }
        noticeUses()
    }

    /// Notes goods that are there before StoreKit has delivered anything.
    package func noteGoodsKept() {
        guard let goodsHeld else { return }
        for product in device.edition.catalog.products {
            let count = readGoods(orElse: device.goodsSeen[product.index]) { goodsHeld(product.index) }
            if count > 0 { record(.kept(product.index, count: count)) }
        }
    }

    /// S25: what an app reads at each launch, and does not store, comes with no write.
    func noticeUnstoredGoods() {
        guard readsEntitlements, let goodsHeld else { return }
        _ = noticeAwaited()
        noteOtherGoods(goodsHeld)
    }

    /// A purchase was finished: if goods of its product have come, the next are no longer waited for. Until then they
    /// are: they may come in several writes.
    package func stopsWaiting(for product: ProductIndex?) {
        goods.awaited.removeAll { $0.product == product && $0.count <= 0 }
    }

    private func noticeAwaited() -> Bool {
        guard let goodsHeld else { return false }
        var hasChanged = false
        for place in goods.awaited.indices.reversed() {
            let now = readGoods(orElse: goods.awaited[place].held) { goodsHeld(goods.awaited[place].product) }
            if now == goods.awaited[place].held { continue }
            hasChanged = true
            note(goods.awaited[place].product, now)
            if now > goods.awaited[place].held { goods.awaited[place].count -= 1 }
            goods.awaited[place].held = now
        }
        return hasChanged
    }

    /// The app wrote something, but not the goods that the device waits for: perhaps goods of another product.
    /// A product that the user has just used is checked separately.
    private func noteOtherGoods(_ goodsHeld: (ProductIndex) -> Int) {
        // One entry into client code for all of them.
        readGoods {
            for product in device.edition.catalog.products.indices
            where !isAwaited(product) && !isUseUnderWay(of: product) {
                let count = goodsHeld(product)
                if goods.noted.isEmpty || goods.noted[product] != count { note(product, count) }
            }
        }
    }

    private func note(_ product: ProductIndex, _ count: Int) {
        if goods.noted.isEmpty { goods.noted = Array(repeating: nil, count: device.edition.catalog.products.count) }
        goods.noted[product] = count
        record(.goods(product, count: count))
    }
}

extension AppProcess {
    // MARK: Uses

    /// The app was asked to use one up, and still had so many when it returned: whatever is written next may be that.
    package func awaitUse(of product: ProductIndex, held: Int) {
        let before = goods.uses.first { $0.product == product }?.count ?? 0
        forgetUses(of: product)
        goods.uses.append((product, held, before + 1))
    }

    /// Under the wall clock another thread may be writing as the process ends: what it still wrote shows in the next launch.
    func takeOverUses(from last: AppProcess) { goods.uses = last.goods.uses }

    /// The goods that the launch before left are known.
    package func noticeUsesTakenOver() {
        noticeUses()
        forgetUses()
    }

    package func isUseUnderWay(of product: ProductIndex) -> Bool { goods.uses.contains { $0.product == product } }

    /// It is too late: whatever goes now is lost.
    package func forgetUses(of product: ProductIndex) { goods.uses.removeAll { $0.product == product } }
    package func forgetUses() { goods.uses = [] }

    /// Looked for with every write: the app may end, or goods may come, before anybody looks again.
    package func noticeUses() {
        if goods.uses.isEmpty { return }
        guard let goodsHeld else { return }
        for place in goods.uses.indices.reversed() {
            let product = goods.uses[place].product
            let now = readGoods(orElse: device.goodsSeen[product]) { goodsHeld(product) }
            let gone = min(goods.uses[place].held - now, goods.uses[place].count)
            goods.uses[place].held = now
            if gone <= 0 { continue }
            record(.used(product, count: gone))
            goods.uses[place].count -= gone
            if goods.uses[place].count == 0 { goods.uses.remove(at: place) }
        }
    }
}
