// Where things stand that a device numbers: found without looking through all of them.
// A value, kept from user to user for its memory; confined to its owner.

/// Places in a list by numbers that follow each other, more or less: a gap takes as much memory as what stands in it.
package struct NumberedPlaces {
    /// By number, from `first` on; negative: there is none.
    @usableFromInline var places: [Int32] = []
    @usableFromInline var first: Int32 = 0

    @inlinable package init() {}

    @inlinable package mutating func removeAll() { places.removeAll(keepingCapacity: true) }

    @inlinable package subscript(number: Int32) -> Int? {
        let offset = Int(number) - Int(first)
        guard places.indices.contains(offset), places[offset] >= 0 else { return nil }
        return Int(places[offset])
    }

    package mutating func set(_ number: Int32, to place: Int) {
        if places.isEmpty { first = number }
        if number < first {
            places.insert(contentsOf: repeatElement(-1, count: Int(first) - Int(number)), at: 0)
            first = number
        }
        let offset = Int(number) - Int(first)
        while places.count <= offset { places.append(-1) }
        places[offset] = Int32(place)
    }
}
