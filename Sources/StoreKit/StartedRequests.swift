// Requests that wait for their answer.
// Guard: confined to the device's lane.

/// Requests by their number in this process, kept until they are answered or only remembered (R53).
struct StartedRequests<Request: SKRequest> {
    private struct Place {
        weak var request: Request?
        let kept: Request?
    }

    private var places: [Int: Place] = [:]

    mutating func add(_ request: Request, number: Int, isKept: Bool) {
        places[number] = Place(request: request, kept: isKept ? request : nil)
    }

    /// Nil if no such request waits. The request itself is nil once the app has released it.
    mutating func take(_ number: Int) -> (number: Int, request: Request?)? {
        places.removeValue(forKey: number).map { (number, $0.request) }
    }

    mutating func removeAll() { places = [:] }
}
