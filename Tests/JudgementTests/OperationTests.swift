// Operations as stories tell of them.

import Foundation
import RunSupport
import Simulation
import Testing

@testable import Judgement

@Suite struct OperationTests {
    private func record(_ at: Int64, _ event: DeviceEvent) -> EventRecord {
        EventRecord(at: Instant(nanoseconds: at), process: 1, event)
    }

    private func asked(_ at: Int64, _ kind: RequestKind, _ number: Int32, quantity: Int32 = 0) -> EventRecord {
        let product = kind == .purchase ? 0 : nil
        return record(at, .asked(.init(kind, number, product: product, quantity: quantity, plannedAt: .start)))
    }

    private func answered(
        _ at: Int64, _ code: AnswerCode, _ kind: RequestKind, _ number: Int32, count: Int32 = 0
    ) -> EventRecord {
        record(at, .answered(.init(code, to: kind, number, count: count)))
    }

    /// `at thread type f error`, a line for each event.
    private func told(_ events: [EventRecord]) -> [String] {
        let story = UserStory(
            of: AuditInput(
                catalog: Shop.catalog, statement: AccountStatement(), events: events, held: [0, 0, 0],
                goodsPerPurchase: [1, 1, 1]))
        return OperationReader.events(story, device: 1).map { event in
            let words = ["\(event.at.nanoseconds)", "\(event.thread)", event.outcome.rawValue, event.kind.function]
            return (words + (event.error.map { [$0] } ?? [])).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            (.purchased, "ok purchase"), (.cancelled, "fail purchase cancelled"), (.failed, "fail purchase failed"),
            (.refused, "fail purchase refused"), (.deferred, "info purchase deferred"),
        ] as [(AnswerCode, String)])
    func answerEndsItsOperation(answer: AnswerCode, words: String) {
        let events = told([
            asked(1, .purchase, 1, quantity: 2), answered(5, answer, .purchase, 1),
        ])
        #expect(events == ["1 0 invoke purchase", "5 0 \(words)"])
    }

    @Test(
        arguments: [(AnswerCode.failed, "no network"), (.refused, "no network"), (.purchased, nil)]
            as [(AnswerCode, String?)])
    func failedOperationCarriesTheClientsMessage(answer: AnswerCode, message: String?) {
        var input = AuditInput(
            catalog: Shop.catalog, statement: AccountStatement(),
            events: [
                asked(1, .purchase, 1), record(5, .answered(.init(answer, to: .purchase, 1, message: 0))),
            ], held: [0, 0, 0], goodsPerPurchase: [1, 1, 1])
        input.names.messages = NameTable(["no network"])
        #expect(OperationReader.events(UserStory(of: input), device: 1).map(\.message) == [nil, message])
    }

    @Test func unansweredOperationEndsAsUnknown() {
        #expect(
            told([asked(1, .restore, 1), record(4, .crashed(before: nil)), record(9, .settled(.init()))])
                == ["1 0 invoke restore", "4 0 info restore crashed"])
        #expect(
            told([asked(1, .fetch, 1), record(4, .terminated(underWay: 0))])
                == ["1 0 invoke products_fetch", "4 0 info products_fetch terminated"])
        #expect(
            told([asked(1, .fetch, 1), record(9, .settled(.init()))])
                == ["1 0 invoke products_fetch", "9 0 info products_fetch unanswered"])
    }

    @Test func eachOperationProcessRunsOneOperationAtATime() {
        let events = told([
            asked(1, .fetch, 1), asked(2, .fetch, 2), answered(3, .fetched, .fetch, 1),
            // The first is free again.
            asked(4, .fetch, 3), record(5, .crashed(before: nil)),
            // Both may still take effect.
            asked(6, .fetch, 4), answered(7, .fetched, .fetch, 4),
        ])
        #expect(
            events == [
                "1 0 invoke products_fetch", "2 1 invoke products_fetch", "3 0 ok products_fetch",
                "4 0 invoke products_fetch", "5 1 info products_fetch crashed", "5 0 info products_fetch crashed",
                "6 2 invoke products_fetch", "7 2 ok products_fetch",
            ])
    }

    @Test func secondAnswerDoesNotEndAnOperationAgain() {
        let events = told([
            asked(1, .purchase, 1), answered(2, .purchased, .purchase, 1),
            answered(3, .purchased, .purchase, 1), record(4, .settled(.init())),
        ])
        #expect(events == ["1 0 invoke purchase", "2 0 ok purchase"])
    }
}
