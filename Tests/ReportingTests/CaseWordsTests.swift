// Names of cases never reach a reader: each has words.

import Judgement
import ReportModel
import Simulation
import Testing

@testable import Reporting

@Suite struct CaseWordsTests {
    /// Words without a name as code has it, such as `storeKitCall`. StoreKit itself is a name.
    private static func arePlain(_ words: String) -> Bool {
        !words.isEmpty && words.replacing("StoreKit", with: "").firstMatch(of: #/[a-z][A-Z]/#) == nil
    }

    private static let narrator = Narrator(UserStory())

    @Test(arguments: TransactionState.allCases)
    func transactionStateHasPlainWords(state: TransactionState) { #expect(Self.arePlain(state.words)) }

    @Test(arguments: AnswerCode.allCases)
    func answerHasPlainWords(code: AnswerCode) {
        #expect(Self.arePlain(code.words))
        #expect(Self.arePlain(Self.narrator.words(for: DeviceEvent.Answer(code, to: .purchase, 1))))
    }

    @Test(arguments: Effect.allCases)
    func effectHasPlainWords(effect: Effect) {
        #expect(Self.arePlain(effect.words))
        #expect(Self.arePlain(HarnessFault.effectOfDeadProcess(1, effect).sentence))
    }

    @Test(arguments: ClientException.allCases)
    func exceptionHasPlainWords(exception: ClientException) {
        #expect(Self.arePlain(exception.reason))
        let event = EventRecord(at: .start, process: 1, .raised(exception))
        #expect(Self.arePlain(Self.narrator.words(for: event).text))
    }

    @Test(arguments: ClientCall.allCases)
    func clientCallHasPlainWords(call: ClientCall) { #expect(Self.arePlain(call.words)) }

    @Test(arguments: PromotionAnswer.allCases)
    func promotionHasPlainWords(answer: PromotionAnswer) { #expect(Self.arePlain(Self.narrator.words(for: answer))) }

    @Test(arguments: LinkMessageKind.allCases.filter { $0 != .purchase })
    func lostMessageHasPlainWords(kind: LinkMessageKind) {
        #expect(Self.arePlain(Self.narrator.words(for: DeviceEvent.LostNote(.lostRequest, kind))))
    }

    @Test(arguments: FaultKind.ofWire)
    func messageFaultHasPlainWords(fault: FaultKind) {
        let event = EventRecord(at: .start, process: 1, .lost(.init(fault, .products)))
        let words = Self.narrator.words(for: event)
        #expect(Self.arePlain(words.text) && words.text.hasSuffix(": the request for products"))
        #expect(words.from == (fault.wire.way == .there ? .storeKit : .appStore))
    }

    // Errors go by the names that code reads them by.
    @Test(arguments: StoreErrorCode.allCases)
    func storeErrorIsNamedByItsSKErrorCode(code: StoreErrorCode) {
        let failure = StoreFailure.store(code)
        #expect(Self.narrator.words(for: failure) == "SKError \(failure.code)")
    }
}
