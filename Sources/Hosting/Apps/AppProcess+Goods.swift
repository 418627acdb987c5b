// How many goods the app holds, read when they may have changed, and what the user has used of them.
// Guard: as the process, confined to the device's lane.

/// Goods of a product that are still to come.
struct AwaitedGoods {
    let product: ProductIndex
    var held: Int
    /// How many arrivals are waited for.
    var count: Int
}

extension AppProcess {
    /// Goods that are waited for may have come without a write: out of the receipt, for one.
    ///
    /// - Parameter product: look only if some of these are still to come.
    package func lookForGoods() { if !awaited.isEmpty { _ = noticeAwaited() } }

    /// The same, but only if some of this product are still to come.
    package func lookForGoods(of product: ProductIndex?) {
        if let product, !isMissing(product) { return }
        lookForGoods()
    }

    /// What stands under a key, and a crash now would leave there. Any thread.
    package func durableValue(_ key: String) -> StorageValue? { device.storedValue(key, isDurable: true) }

    private func isAwaited(_ product: ProductIndex) -> Bool { awaited.contains { $0.product == product } }

    private func isMissing(_ product: ProductIndex) -> Bool {
        awaited.contains { $0.product == product && $0.count > 0 }
    }

    func awaitGoods(_ product: ProductIndex?, count: Int) {
        guard let product, let goodsHeld else { return }
        let now = readGoods(orElse: device.goodsSeen[product]) { goodsHeld(product) }
        note(product, now)
        if let place = awaited.firstIndex(where: { $0.product == product }) {
            awaited[place].held = now
            awaited[place].count += count
        } else {
            awaited.append(AwaitedGoods(product: product, held: now, count: count))
        }
    }

    /// A restore may bring any product, and must not bring some: watch them all.
    package func awaitAllGoods() {
        for product in device.edition.catalog.products { awaitGoods(product.index, count: 1_000_000) }
    }

    /// Something became durable: did goods that were waited for come with it?
    package func noticeDurableWrite() {
        // What a deleted app has left in the keychain is noted as such first.
        if let goodsHeld, awaited.isEmpty ? isUp && !device.leftSecrets : !noticeAwaited() { noteOtherGoods(goodsHeld) }
        noticeUses()
    }

    /// Goods that are there before anything was told.
    package func noteGoodsKept() {
        guard let goodsHeld else { return }
        for product in device.edition.catalog.products {
            let count = readGoods(orElse: device.goodsSeen[product.index]) { goodsHeld(product.index) }
            if count > 0 { record(.kept(product.index, count: count)) }
        }
    }

    /// A purchase was finished: if goods of its product have come, the next are no longer waited for. Until then they
    /// are: they may come in several writes.
    package func stopsWaiting(for product: ProductIndex?) {
        awaited.removeAll { $0.product == product && $0.count <= 0 }
    }

    private func noticeAwaited() -> Bool {
        guard let goodsHeld else { return false }
        var hasChanged = false
        for place in awaited.indices.reversed() {
            let now = readGoods(orElse: awaited[place].held) { goodsHeld(awaited[place].product) }
            if now == awaited[place].held { continue }
            hasChanged = true
            note(awaited[place].product, now)
            if now > awaited[place].held { awaited[place].count -= 1 }
            awaited[place].held = now
        }
        return hasChanged
    }

    /// Something was written, and not the goods that are waited for: perhaps those of another product. What the user has
    /// just used is looked at by itself.
    private func noteOtherGoods(_ goodsHeld: (ProductIndex) -> Int) {
        // One entry into client code for all of them.
        readGoods {
            for product in device.edition.catalog.products.indices
            where !isAwaited(product) && !isUseUnderWay(of: product) {
                let count = goodsHeld(product)
                if noted.isEmpty || noted[product] != count { note(product, count) }
            }
        }
    }

    private func note(_ product: ProductIndex, _ count: Int) {
        if noted.isEmpty { noted = Array(repeating: nil, count: device.edition.catalog.products.count) }
        noted[product] = count
        record(.goods(product, count: count))
    }
}

extension AppProcess {
    // MARK: Uses

    /// The app was asked to use one up, and still had so many when it returned: whatever is written next may be that.
    package func awaitUse(of product: ProductIndex, held: Int) {
        let before = usesUnderWay.first { $0.product == product }?.count ?? 0
        forgetUses(of: product)
        usesUnderWay.append((product, held, before + 1))
    }

    /// Under the wall clock another thread may be writing as the process ends: what it still wrote shows in the next launch.
    func takeOverUses(from last: AppProcess) { usesUnderWay = last.usesUnderWay }

    /// The goods that the launch before left are known.
    package func noticeUsesTakenOver() {
        noticeUses()
        forgetUses()
    }

    package func isUseUnderWay(of product: ProductIndex) -> Bool { usesUnderWay.contains { $0.product == product } }

    /// It is too late: whatever goes now is lost.
    package func forgetUses(of product: ProductIndex) { usesUnderWay.removeAll { $0.product == product } }
    package func forgetUses() { usesUnderWay = [] }

    /// Looked for with every write: the app may end, or goods may come, before anybody looks again.
    package func noticeUses() {
        if usesUnderWay.isEmpty { return }
        guard let goodsHeld else { return }
        for place in usesUnderWay.indices.reversed() {
            let product = usesUnderWay[place].product
            let now = readGoods(orElse: device.goodsSeen[product]) { goodsHeld(product) }
            let gone = min(usesUnderWay[place].held - now, usesUnderWay[place].count)
            usesUnderWay[place].held = now
            if gone <= 0 { continue }
            record(.used(product, count: gone))
            usesUnderWay[place].count -= gone
            if usesUnderWay[place].count == 0 { usesUnderWay.remove(at: place) }
        }
    }
}
