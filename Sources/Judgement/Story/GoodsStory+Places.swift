// Where purchases stand: found by identifier, by handle, and by what the app still has to do with them.

import Simulation

extension GoodsStory {
    mutating func forgetHandles() {
        handles.removeAll(keepingCapacity: true)
        for _ in now.purchases.indices { handles.append(-1) }
    }

    /// Notes the latest handle of a purchase, and returns the one before.
    mutating func exchangeHandle(of id: TransactionID, _ handle: Int) -> Int? {
        guard let place = place(of: id) else { return nil }
        let before = handles[place]
        handles[place] = Int32(handle)
        return before < 0 || Int(before) == handle ? nil : Int(before)
    }

    func handle(of id: TransactionID) -> Int? {
        guard let place = place(of: id), handles[place] >= 0 else { return nil }
        return Int(handles[place])
    }

    func place(of id: TransactionID) -> Int? {
        guard isSorted else { return now.purchases.lastIndex { $0.id.number == id.number } }
        var (low, high) = (0, now.purchases.count)
        while low < high {
            let middle = (low + high) / 2
            if now.purchases[middle].id.number < id.number { low = middle + 1 } else { high = middle }
        }
        return low < now.purchases.count && now.purchases[low].id.number == id.number ? low : nil
    }

    /// When the store heard that a purchase is finished; nil: it has not, or has noted it once more as unfinished.
    func storeFinish(of id: TransactionID) -> Instant? {
        if !isSorted, now.purchases.contains(where: { $0.id == id && $0.storeFinishedAt == nil }) { return nil }
        return place(of: id).flatMap { now.purchases[$0].storeFinishedAt }
    }

    /// Something of a purchase has changed that decides whose goods may come.
    mutating func settlePlace(_ place: Int) {
        let track = now.purchases[place]
        let isLacking = track.toldAt != nil && !track.isOpen && track.delivered < now.need(track)
        Self.set(&open, place, track.isOpen)
        Self.set(&lacking, place, isLacking)
    }

    /// Puts a place into an ascending list, or takes it out.
    private static func set(_ list: inout [Int], _ place: Int, _ isIn: Bool) {
        // Nearly always the latest.
        let index = list.lastIndex { $0 <= place }
        let isThere = index.map { list[$0] == place } ?? false
        if isIn == isThere { return }
        if isIn { list.insert(place, at: index.map { $0 + 1 } ?? 0) } else if let index { list.remove(at: index) }
    }
}
