// What the App Store has to say to the person: the app shows it at its own time, or the system does (S76).
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    /// R52, S76: asked once for each launch and each return to the foreground.
    func askForConsent() {
        guard let app = device.app else { return }
        if storeKit2?.hearsMessages != true, app.listening.contains(.paymentQueue) {
            guard !hasAskedForConsent else { return }
            hasAskedForConsent = true
            device.post(.priceConsentNeeded, to: app)
        } else {
            announce(.priceIncrease)
        }
    }

    /// At a launch, and back in the foreground.
    func mayAskAgain() {
        hasAskedForConsent = false
        storeKit2?.mayAnnounceAgain()
    }

    /// R48: a renewal could not be paid.
    func tellOfBilling(_ record: PurchaseRecord) {
        if record.subscriptions.contains(where: \.isInRetry) { announce(.billingIssue) }
    }

    func listenForMessages(_ app: any AppPort) {
        guard app.isAlive else { return }
        use(by: app)
        guard let part = storeKit2 else { return }
        part.hearsMessages = true
        for message in part.messages { post(.message(message), to: app) }
        part.messages = []
    }

    /// Once for each launch and each return to the foreground. What the app does not read in time is shown without it.
    private func announce(_ message: SystemMessage) {
        guard let app = device.app, app.isAlive, let part = storeKit2, part.isInUse, part.announces(message) else {
            return
        }
        if part.hearsMessages { return post(.message(message), to: app) }
        part.messages.append(message)
        device.schedule(after: Self.messagePatience) { [self] in
            guard app.isAlive, let place = part.messages.firstIndex(of: message) else { return }
            part.messages.remove(at: place)
            show(message)
        }
    }

    private static let messagePatience = Span.seconds(3)

    func show(_ message: SystemMessage) {
        switch message {
        case .priceIncrease: device.link.send(.priceConsent) { _ in }
        // Whether the person mends the account then is `buyers.subscriptions` to say.
        case .billingIssue: break
        }
    }
}
