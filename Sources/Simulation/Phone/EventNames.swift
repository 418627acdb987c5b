// Names that events refer to by number: events stay small, and are values.
// Values; on a device confined to its lane.

/// A list of names without repetitions, each known by its place.
package struct NameTable<Name: Sendable & Hashable>: Sendable {
    package private(set) var names: [Name] = []
    private var places: [Name: Int16] = [:]

    /// More than this are not kept: an event has two bytes for the place.
    package static var countMax: Int { Int(Int16.max) }

    package init() {}

    package init(_ names: [Name]) { for name in names { _ = add(name) } }

    /// The place of a name, which is new or known; nil if the table is full.
    package mutating func add(_ name: Name) -> Int16? {
        if let place = places[name] { return place }
        guard names.count < Self.countMax else { return nil }
        let place = Int16(names.count)
        places[name] = place
        names.append(name)
        return place
    }

    package subscript(_ place: Int16?) -> Name? {
        place.flatMap { names.indices.contains(Int($0)) ? names[Int($0)] : nil }
    }
}

/// The names that the events of one device refer to.
package struct EventNames: Sendable {
    /// Where the app sent requests.
    package var addresses = NameTable<WebAddress>()
    /// Types of observers that finished something, where the app has several.
    package var observers = NameTable<String>()
    /// What the app said of failures and refusals, and clients that it was updated to.
    package var messages = NameTable<String>()

    package init() {}
}

extension Device {
    /// The place of what the app said, cut to a length.
    package func noteMessage(_ text: String?) -> Int16? {
        guard let text else { return nil }
        let cut = text.prefix(Self.messageMax)
        return names.messages.add(cut.count < text.count ? cut + "…" : text)
    }

    /// In characters.
    private static let messageMax = 200

    /// The place of an observer's type.
    package func noteObserver(_ type: String) -> Int16? { names.observers.add(type) }

    /// Hands out the names that its events refer to; the device keeps none.
    package func takeNames() -> EventNames {
        defer { names = EventNames() }
        return names
    }
}
