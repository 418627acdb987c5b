// Faults at exact places in the life of one user, for trying each place in turn.
// Guard: confined to the one lane of a virtual cell.

/// Something made to go wrong at one exact place.
package struct Mishap: Sendable, Hashable {
    /// A kind that sweeps place.
    package let kind: FaultKind
    /// Of its place. Effects are counted from 1 over all launches and devices of the user, and messages likewise.
    package let number: Int

    package init(_ kind: FaultKind, _ number: Int) { (self.kind, self.number) = (kind, number) }
}

/// A place where something could go wrong.
package struct MishapPlace: Sendable {
    package enum Kind: Sendable {
        case effect(Effect)
        case message(LinkMessage)
    }

    package let kind: Kind
    /// Among its kind, from 1.
    package let number: Int
    package let at: Instant
    /// The user's device, from 1.
    package let device: Int
    /// How many events the device had just before.
    package let eventCount: Int

    package init(kind: Kind, number: Int, at instant: Instant, device: Int, eventCount: Int) {
        (self.kind, self.number, at) = (kind, number, instant)
        (self.device, self.eventCount) = (device, eventCount)
    }

    /// What can be made to go wrong there.
    package var mishaps: [Mishap] { FaultKind.placed(at: place).map { Mishap($0, number) } }

    package func allows(_ mishap: Mishap) -> Bool {
        mishap.number == number && mishap.kind.row.trial?.place == place
    }

    private var place: FaultKind.Place {
        switch kind {
        case .effect: .effect
        case .message: .message
        }
    }
}

/// Counts the places that a user passes, and makes things go wrong at the chosen places.
///
/// Places are not counted once the run settles: the final launch is there to show the result.
package final class MishapScript: @unchecked Sendable {
    private let mishaps: Set<Mishap>
    package private(set) var places: [MishapPlace] = []
    /// The mishaps that have happened so far.
    package private(set) var happened: Set<Mishap> = []
    private var effects = 0
    private var messages = 0

    package init(_ mishaps: Set<Mishap> = []) { self.mishaps = mishaps }

    func crashes(before effect: Effect, on device: Device) -> Bool {
        effects += 1
        note(.effect(effect), effects, device)
        return strikes(Mishap(.crash, effects))
    }

    /// What happens to a message; nil: it arrives.
    func fault(of message: LinkMessage, from device: Device) -> FaultKind? {
        messages += 1
        note(.message(message), messages, device)
        return FaultKind.placed(at: .message).first { strikes(Mishap($0, messages)) }
    }

    private func note(_ kind: MishapPlace.Kind, _ number: Int, _ device: Device) {
        places.append(
            MishapPlace(
                kind: kind, number: number, at: device.lane.now, device: device.number,
                eventCount: device.events.count))
    }

    private func strikes(_ mishap: Mishap) -> Bool {
        guard mishaps.contains(mishap) else { return false }
        happened.insert(mishap)
        return true
    }
}
