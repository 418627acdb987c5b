// What an app may say of a restore by the receipt, and what not.

import Judgement
import Simulation
import Testing

@Suite struct ReceiptAnswerTests {
    /// What the account has when it restores, and what the app says of it.
    struct Restoring: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(answer) with \(owned.map(String.init) ?? "nothing")" }
        let owned: ProductIndex?
        let answer: AnswerCode
        let expected: [AuditRule]

        static let all: [Restoring] = [
            Restoring(owned: Story.maps, answer: .restored, expected: []),
            Restoring(owned: Story.maps, answer: .nothingToRestore, expected: [.wrongAnswer]),
            // The validator failed, perhaps.
            Restoring(owned: Story.maps, answer: .failed, expected: []),
            Restoring(owned: nil, answer: .restored, expected: [.wrongAnswer]),
            Restoring(owned: nil, answer: .nothingToRestore, expected: []),
        ]
    }

    @Test(arguments: Restoring.all)
    func receiptRefreshCountsAsARestore(restoring: Restoring) {
        let found = rules { story in
            if let owned = restoring.owned { _ = story.own(owned) }
            story.launch()
            let request = story.ask(.restore)
            story.note(.receiptRefreshStarted(request: 1))
            story.note(.receiptRefreshed(request: 1, writtenAt: nil))
            story.answer(.restore, request, restoring.answer)
            story.end()
        }
        #expect(found == restoring.expected)
    }

    // The receipt is the account's: it lists what was bought on another device.
    @Test(arguments: [(Story.maps, []), (Story.lives, [.wrongAnswer])] as [(ProductIndex, [AuditRule])])
    func receiptRefreshRestoresAnotherDevicesPurchase(product: ProductIndex, expected: [AuditRule]) {
        let found = rules { story in
            story.boughtElsewhere = [product]
            story.launch()
            let request = story.ask(.restore)
            story.note(.receiptRefreshStarted(request: 1))
            story.note(.receiptRefreshed(request: 1, writtenAt: nil))
            story.answer(.restore, request, .restored)
            story.end()
        }
        #expect(found == expected)
    }

    @Test func failedReceiptRefreshRestoresNothing() {
        let found = [AnswerCode.restored, .failed].map { answer in
            rules { story in
                _ = story.own(Story.maps)
                story.launch()
                let request = story.ask(.restore)
                story.note(.receiptRefreshStarted(request: 1))
                story.note(.receiptRefreshFailed(request: 1, .store(.unknown)))
                story.answer(.restore, request, answer)
                story.end()
            }
        }
        #expect(found == [[.wrongAnswer], []])
    }

    // The receipt was refreshed on the way; what counts is what became of the restore.
    @Test(arguments: [true, false])
    func restoreAnswerIsJudgedByStoreKitsRestore(isRefreshedFirst: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.restore)
            if !isRefreshedFirst { story.note(.restoreCalled) }
            story.note(.receiptRefreshStarted(request: 1))
            story.note(.receiptRefreshed(request: 1, writtenAt: nil))
            if isRefreshedFirst { story.note(.restoreCalled) }
            story.note(.restoreFailed(.network(code: -1001)))
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }
        #expect(found == [.wrongAnswer])
    }

    @Test func receiptRefreshForARestoreMustBeReported() {
        #expect(
            rules { story in
                story.launch()
                story.ask(.restore)
                story.note(.receiptRefreshStarted(request: 1))
                story.note(.receiptRefreshed(request: 1, writtenAt: nil))
                story.end()
            } == [.restoreUnreported])
    }
}
