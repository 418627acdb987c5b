// What happened on a device, in words: a line of a timeline, a label of a diagram, a trigger in a sentence.
// Pure; any thread.

import Judgement
import ReportModel
import Simulation
import Text

/// One event.
struct EventWords {
    /// A line of a timeline.
    let text: String
    /// The text without who says it, for a diagram whose arrow shows that.
    let label: String
    let from: Report.Party
    let to: Report.Party
    /// Of what reaches the app, for what the app does then: `when the user opened the shop`.
    let trigger: String?

    /// Done by somebody, to somebody else or alone.
    static func by(
        _ from: Report.Party, _ text: String, to: Report.Party? = nil, when trigger: String? = nil
    ) -> EventWords {
        EventWords(text: text, label: text, from: from, to: to ?? from, trigger: trigger)
    }

    /// StoreKit reports something to the app.
    static func reported(_ what: String) -> EventWords {
        EventWords(
            text: "StoreKit reports: \(what)", label: what, from: .storeKit, to: .app,
            trigger: "when StoreKit reported: \(what)")
    }

    /// StoreKit calls the app's observers with a transaction.
    static func delivered(_ transaction: String, _ state: String) -> EventWords {
        EventWords(
            text: "StoreKit delivers \(transaction): \(state)", label: "\(transaction): \(state)", from: .storeKit,
            to: .app,
            trigger: "when StoreKit delivered \(transaction) as \(state)")
    }
}

extension Narrator {
    // A line a kind of event: a long function, and a flat one.
    func words(for record: EventRecord) -> EventWords {
        switch record.event {
        case .launched: launched(record.process)
        case .launchReturned(let observers):
            .by(.app, "launch returns, and the app \(observers > 0 ? "listens" : "does not listen") to StoreKit")
        case .willTerminate: willTerminate
        case .terminated: .by(.app, "the app is terminated")
        case .writesLost(let lost): losesWrites(count(lost, "value"))
        case .crashed(let missed): crashed(before: missed)
        case .backgrounded: moved("enters the background", "entered the background")
        case .foregrounded: moved("enters the foreground", "entered the foreground")
        case .reinstalled: .by(.person, "the app is deleted and installed again", to: .app)
        case .updated(let client):
            .by(.person, "the app is updated to \(input.names.messages[client] ?? "another client")", to: .app)
        case .settlingBegan: .by(.person, "the run is over: the network works again, and the app is relaunched")
        case .accountSwitched: .by(.person, "the user signs in with the other account")
        case .settled(let note): settled(note)
        case .promotionTapped(let product): tapped(product)
        case .promotionAsked(let product, let answer): promotionAsked(product, answer)
        case .receiptArrived(let writtenAt): receiptArrived(writtenAt)
        case .overworked(let asked, _): overworked(asked)
        case .asked(let question): asked(question)
        case .answered(let answer): answered(answer)
        case .used(let product, let count):
            .by(.person, "the user uses \(count) of the goods of \(name(product))", to: .app)
        case .observerAdded(let times): observerAdded(times)
        case .observerRemoved(let left): .by(.app, "an observer is removed, \(left) left", to: .storeKit)
        case .updatesUnread(hadReader: true):
            .by(.app, "the app's last loop over Transaction.updates ends", to: .storeKit)
        case .updatesUnread(hadReader: false): .by(.app, "the app has no loop over Transaction.updates")
        case .updatesRead: .by(.app, "the app begins a loop over Transaction.updates", to: .storeKit)
        case .paymentAdded(let payment): paymentAdded(payment)
        case .delivered(let transaction): .delivered(name(transaction), transaction.state.words)
        case .unverifiedDelivered(let transaction): .delivered(name(transaction), "not verified")
        case .removalDelivered(let transaction): removalDelivered(transaction)
        case .receiptRefreshed: .reported("the receipt was refreshed")
        case .receiptRefreshFailed(_, let why): .reported("the receipt could not be refreshed: \(words(for: why))")
        case .revocationDelivered(let id, let product):
            .reported("transaction \(id.text) (\(name(product))) was revoked")
        case .restoreFinished: .reported("the restore is finished")
        case .restoreFailed(let failure): .reported("the restore failed: \(words(for: failure))")
        case .failureDelivered(_, let failure): .by(.storeKit, "   because: \(words(for: failure))", to: .app)
        case .finishCalled(let transaction):
            .by(.app, "\(finisher(transaction) ?? "the app") finishes \(name(transaction))", to: .storeKit)
        case .foreignFinish: .by(.app, "the app finishes a transaction that is not on its queue", to: .storeKit)
        case .receiptRefreshStarted: .by(.app, "the app refreshes its receipt", to: .storeKit)
        case .restoreCalled: .by(.app, "the app restores completed transactions", to: .storeKit)
        case .recordRead(isHidden: true):
            .by(.storeKit, "StoreKit answers without the store's record of what the account owns", to: .app)
        case .recordRead(isHidden: false):
            .by(.storeKit, "StoreKit has the record of what the account owns again", to: .app)
        case .entitlementsRead(let areVerified, let asOf): entitlementsRead(areVerified: areVerified, asOf)
        case .syncCalled: .by(.app, "the app calls AppStore.sync()", to: .storeKit)
        case .productsStarted: .by(.app, "the app starts a products request", to: .storeKit)
        case .productsDelivered(let note):
            productsDelivered("\(count(Int(note.found), "product")) found", isHeard: note.isHeard)
        case .productsFailed(_, let why, let isHeard):
            productsDelivered("the products request failed: \(words(for: why))", isHeard: isHeard)
        case .admitted(let note): admitted(note)
        case .lost(let message): lost(message)
        case .posted(let post): sends(address(of: post))
        case .postAnswered(let post, let outcome): answers(address(of: post), outcome)
        case .goods(let product, let count): .by(.app, "goods of \(name(product)) held durably: \(count)")
        case .kept(let product, let count): .by(.app, "goods of \(name(product)) left by the deleted app: \(count)")
        case .stored(let written): wrote(count(written, "value") + " to storage")
        case .mainQueueHeld(let time, _, let call): held(time, call)
        case .hung(let time, let call, let wait): hung(time, call, wait)
        case .calledOffLane: .by(.app, "the client calls from outside its device's queue", to: .storeKit)
        case .died(let note):
            .by(.app, "the client \(Self.end(note.cause)) in \(note.call.words)")
        case .raised(.failedAssertion): .by(.app, "the client stops: \(ClientException.failedAssertion.reason)")
        case .raised(let exception):
            .by(.storeKit, "StoreKit raises an exception: \(exception.reason)", to: .app)
        }
    }

    // MARK: The process

    private static func end(_ cause: DeathNote.Cause) -> String {
        switch cause {
        case .signal: "crashes"
        case .exit: "ends the process"
        case .memory(let limit): "holds more than \(HumanNumbers.bytes(Double(limit)))"
        }
    }

    private func launched(_ process: Int32) -> EventWords {
        .by(.person, "launch \(process) begins", to: .app, when: "as launch \(process) began")
    }

    private var willTerminate: EventWords {
        .by(
            .storeKit, "the system announces that it will terminate the app", to: .app,
            when: "when the system had announced that it would terminate the app")
    }

    private func crashed(before missed: MissedEffect?) -> EventWords {
        guard let missed else { return .by(.app, "the app crashes") }
        return .by(.app, "the app crashes just before its effect \(missed.number), \(missed.effect.words)")
    }

    /// A write, by the names of what it wrote.
    func words(for write: GoodsStory.Write) -> EventWords { wrote(written(write)) }

    /// What a crash took of the app's defaults, by the names.
    func words(forLoss loss: GoodsStory.Write) -> EventWords { losesWrites(lost(loss)) }

    func lost(_ loss: GoodsStory.Write) -> String {
        story.places(of: loss).isEmpty ? count(loss.count, "value") : written(loss)
    }

    private func losesWrites(_ what: String) -> EventWords {
        .by(.app, "the app loses \(what), set in the user defaults and not saved")
    }

    private func wrote(_ what: String) -> EventWords { .by(.app, "the app writes \(what)") }

    /// `"coins"`, `"coins", "seen" and 2 more`, `3 values to storage` where names are not known.
    func written(_ write: GoodsStory.Write) -> String {
        let places = story.places(of: write)
        if places.isEmpty { return count(write.count, "value") + " to storage" }
        let more = write.count - places.count
        return list(places.map(name) + (more > 0 ? ["\(more) more"] : []))
    }

    private func name(_ place: WrittenPlace) -> String {
        switch place {
        case .key(let key): quoted(key)
        case .file(""): "a file"
        case .file(let path): "the file " + quoted(path)
        case .secret: "an entry of the keychain"
        }
    }

    /// Names of a suite's values begin with the suite's, between control characters.
    private func quoted(_ name: String) -> String {
        let scalars = name.unicodeScalars.drop(while: \.isUnsafe).compactMap { scalar -> Unicode.Scalar? in
            scalar.isUnsafe ? scalar.properties.generalCategory == .control ? "/" : nil : scalar
        }
        let safe = String(String.UnicodeScalarView(scalars))
        return "\"\(safe.count > Self.nameMax ? safe.prefix(Self.nameMax - 1) + "…" : safe)\""
    }

    private static let nameMax = 60

    private func moved(_ goes: String, _ went: String) -> EventWords {
        .by(.person, "the app \(goes)", to: .app, when: "as the app \(went)")
    }

    private func settled(_ note: DeviceEvent.SettledNote) -> EventWords {
        .by(
            .person,
            note.isChanging
                ? "the app still changes something in launch \(note.launches) of the settling: judged as it is"
                : "nothing is under way any more")
    }

    private func overworked(_ asked: Int) -> EventWords {
        .by(.app, "the system terminates the app: it made \(asked) calls within a second")
    }

    private func held(_ time: Span, _ call: ClientCall) -> EventWords {
        .by(.app, "the client held the main queue for \(duration(time)) in \(call.words)")
    }

    private func hung(_ time: Span, _ call: ClientCall, _ wait: ClientWait) -> EventWords {
        if wait != .unknown {
            return .by(.app, "the client waits for ever in \(call.words) for \(words(for: wait))")
        }
        return .by(.app, "the client has not returned from \(call.words) after \(duration(time))")
    }

    private func observerAdded(_ times: Int) -> EventWords {
        .by(
            .app, times > 1 ? "the same observer is added for the \(ordinal(times)) time" : "an observer is added",
            to: .storeKit)
    }

    // MARK: The user

    private func asked(_ question: DeviceEvent.Question) -> EventWords {
        let number = "(request \(question.number))"
        let what = "\(question.quantity) × \(name(question.product))"
        return switch question.kind {
        case .fetch: .by(.person, "the user opens the shop", to: .app, when: "when the user opened the shop")
        case .purchase:
            .by(
                .person, "the user buys \(what) \(number)", to: .app,
                when: "when the user asked to buy \(what) \(number)")
        case .restore:
            .by(
                .person, "the user asks to restore \(number)", to: .app,
                when: "when the user asked to restore \(number)")
        }
    }

    private func answered(_ answer: DeviceEvent.Answer) -> EventWords {
        let which = answer.kind == .fetch ? "" : " request \(answer.number)"
        return .by(.app, "the app answers\(which): \(words(for: answer))", to: .person)
    }

    private func tapped(_ product: ProductIndex) -> EventWords {
        .by(
            .person, "the user taps \(name(product)) in the App Store, which leads them to the app", to: .app,
            when: "when the user tapped \(name(product)) in the App Store")
    }

    private func promotionAsked(_ product: ProductIndex?, _ answer: PromotionAnswer) -> EventWords {
        .by(
            .storeKit,
            "StoreKit asks whether to continue the promoted purchase of \(name(product)): \(words(for: answer))",
            to: .app,
            when: "when StoreKit asked about the promoted purchase of \(name(product))")
    }

    // MARK: StoreKit and the servers

    private func paymentAdded(_ payment: DeviceEvent.PaymentNote) -> EventWords {
        let what = "\(payment.quantity) × \(name(payment.product))"
        let text =
            payment.isPromoted
            ? "payment \(payment.payment), for the promoted \(what), is added"
            : "the app adds payment \(payment.payment) for \(what)"
        return .by(.app, text, to: .storeKit)
    }

    private func removalDelivered(_ note: DeviceEvent.TransactionNote) -> EventWords {
        .reported("\(note.id == nil ? name(note.product) : name(note)) was removed from the queue")
    }

    private func productsDelivered(_ what: String, isHeard: Bool) -> EventWords {
        isHeard
            ? .reported(what)
            : .by(.storeKit, "StoreKit drops the answer, because the app released its request: \(what)", to: .app)
    }

    private func entitlementsRead(areVerified: Bool, _ asOf: Instant) -> EventWords {
        let flaw = areVerified ? "" : ", and StoreKit cannot verify all of it"
        return .by(.app, "the app reads what the account owns, as of \(clock(asOf))\(flaw)", to: .storeKit)
    }

    private func receiptArrived(_ writtenAt: Instant) -> EventWords {
        .by(.storeKit, "the receipt arrives, as of \(clock(writtenAt))", to: .app, when: "just after a receipt arrived")
    }

    private func lost(_ message: DeviceEvent.LostNote) -> EventWords {
        let sender: Report.Party = message.kind == .post ? .app : .storeKit
        let wire = message.fault.wire
        return .by(wire.way == .there ? sender : server(of: message), "\(wire.words): \(words(for: message))")
    }

    private func admitted(_ note: DeviceEvent.AdmissionNote) -> EventWords {
        let text = "the store reports unfinished transaction \(note.transaction.text) to the device"
        return .by(.appStore, text, to: .storeKit)
    }
}
