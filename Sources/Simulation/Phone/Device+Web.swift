// What an app sends to servers on the web, over the same link as everything else.
// Guard: confined to the device's lane.

extension Device {
    /// Posts something to a server. `completion` is called as client code of this process, on the lane, at most once:
    /// not after the process has ended, and not while the app is suspended.
    package func post(
        _ request: WebRequest, from app: any AppPort,
        completion: @escaping (Result<WebAnswer, WebFailure>) -> Void
    ) {
        guard app.passes(.httpRequest) else { return }
        let effect = app.effectCount
        let note = DeviceEvent.PostNote(
            effect: effect, to: names.addresses.add(WebAddress(request)), isForValidator: request.isForValidator)
        record(.posted(note), of: app)
        appWork += 1
        WebExchange(request, from: self) { [self] result in
            appWork -= 1
            app.receiveAnswer {
                self.record(.postAnswered(note, result.outcome), of: app)
                completion(result)
            }
        }.begin()
    }
}

extension Result where Success == WebAnswer, Failure == WebFailure {
    fileprivate var outcome: DeviceEvent.PostOutcome {
        switch self {
        case .success(let answer):
            .status(Int32(truncatingIfNeeded: answer.status), bytes: Int32(clamping: answer.body.count))
        case .failure(let failure): .failed(code: Int32(failure.rawValue))
        }
    }
}
