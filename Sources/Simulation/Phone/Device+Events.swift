// What a device keeps of what has happened on it, until it is judged.
// Guard: confined to the device's lane.

extension Device {
    /// Records what an app did or received.
    func record(_ event: DeviceEvent, of app: any AppPort) {
        events.append(EventRecord(at: lane.now, process: app.number, event))
    }

    /// What happened to the device, or to an app that may have ended: in the latest launch.
    func note(_ event: DeviceEvent) { events.append(EventRecord(at: lane.now, process: launches, event)) }

    /// What happened without the app: in the running launch, or in none.
    func noteOutside(_ event: DeviceEvent) {
        events.append(EventRecord(at: lane.now, process: app?.number ?? 0, event))
    }

    /// Hands out the events; the device keeps none.
    package func takeEvents() -> [EventRecord] {
        defer { events = [] }
        return events
    }

    /// Hands out what the events' writes are about; the device keeps none.
    package func takeWrittenPlaces() -> [WrittenPlace] {
        defer { writtenPlaces = [] }
        return writtenPlaces
    }

    /// Hands out what clients have printed; the device keeps none.
    package func takeLog() -> ClientLog {
        if let app { log.endLaunch(at: lane.now, process: app.number) }
        var taken = ClientLog()
        taken.onLine = log.onLine
        swap(&taken, &log)
        taken.onLine = nil
        return taken
    }
}
