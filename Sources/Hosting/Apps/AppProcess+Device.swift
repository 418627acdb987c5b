// An app's launch on its device, and what its code asks of that, wherever it runs.
// Any thread, except what says otherwise.

extension AppPort {
    /// What conforms to the port: nothing else does, and what runs on a device is launched below.
    var process: AppProcess { unsafeDowncast(self, to: AppProcess.self) }
}

extension Device {
    /// The launch that is under way. On the lane, as is the next.
    package var process: AppProcess? { app?.process }

    /// Starts a process. The caller then makes the client and calls its launch.
    package func launch() -> AppProcess {
        let (number, crashEffect) = beginLaunch()
        let process = AppProcess(device: self, number: number, crashEffect: crashEffect)
        // Under the virtual clock nothing of an app runs on.
        if let endedApp, !lane.isVirtual { process.takeOverUses(from: endedApp.process) }
        run(process)
        return process
    }
}

extension QueueOwner {
    /// The process that runs there; for a device's own queue, asked on it, whichever runs now.
    package var process: AppProcess? { maker?.process ?? device.process }

    /// The process that a caller anywhere means by this queue.
    package var addressee: AppProcess? {
        if maker != nil { return process }
        if let found = CurrentProcess.found, found.device === device { return found }
        return device.lane.isCurrent ? device.process : nil
    }
}

extension AppProcess {
    // MARK: Files

    /// The app is about to change a file. False if the app ended before it could.
    ///
    /// On another thread the lane learns of the change when the file has changed.
    func changesFile() -> Bool { device.lane.isCurrent ? passes(.storageWrite) : isAlive }

    /// The file is as it is to be.
    func changedFile() {
        if device.lane.isCurrent { return device.filesChanged(by: self) }
        device.performInOrder { [self] in
            record(.calledOffLane)
            if passes(.storageWrite) { device.filesChanged(by: self) }
        }
    }

    // MARK: The network

    /// Whether its device has a network now. Any thread.
    package var isOnline: Bool { device.link.isUp }

    /// Calls `tell`, in client code, with each change from `isUp`, as long as the watch lives. Any thread.
    package func watchLink(from isUp: Bool, _ tell: @escaping @Sendable (Bool) -> Void) -> LinkWatch {
        let watch = LinkWatch(self, isUp: isUp, tell)
        if device.lane.isCurrent { watch.begin() } else { device.performInOrder { watch.begin() } }
        return watch
    }

    // MARK: Ending

    /// `raise` for callers on any thread; elsewhere than on the lane the process ends a moment later.
    package func raiseAnywhere(_ exception: ClientException) {
        if device.lane.isCurrent { return raise(exception) }
        let calls = ClientCalls.now()
        device.sendFromOutside { [self] in raise(exception, in: calls) }
    }
}
