// Operations as histories tell of them, and as they come to lie in one file.

import Audit
import Foundation
import RunSupport
import Simulation
import Testing

@testable import Engine

@Suite struct OperationTests {
    private func record(_ at: Int64, _ event: DeviceEvent) -> HistoryRecord {
        HistoryRecord(at: Instant(nanoseconds: at), process: 1, event)
    }

    private func asked(_ at: Int64, _ kind: RequestKind, _ number: Int32, quantity: Int32 = 0) -> HistoryRecord {
        let product = kind == .purchase ? 0 : nil
        return record(at, .asked(.init(kind, number, product: product, quantity: quantity, plannedAt: .start)))
    }

    private func answered(
        _ at: Int64, _ code: AnswerCode, _ kind: RequestKind, _ number: Int32, count: Int32 = 0
    ) -> HistoryRecord {
        record(at, .answered(.init(code, to: kind, number, count: count)))
    }

    /// `at thread type f error`, a line for each event.
    private func told(_ history: [HistoryRecord]) -> [String] {
        let story = UserStory(
            of: AuditInput(
                catalog: Shop.catalog, statement: AccountStatement(), history: history, held: [0, 0, 0],
                goodsPerPurchase: [1, 1, 1]))
        return OperationReader.events(story, device: 1).map { event in
            let words = ["\(event.at.nanoseconds)", "\(event.thread)", event.outcome.rawValue, event.function.rawValue]
            return (words + (event.error.map { [$0] } ?? [])).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            (.purchased, "ok purchase"), (.cancelled, "fail purchase cancelled"), (.failed, "fail purchase failed"),
            (.refused, "fail purchase refused"), (.deferred, "info purchase deferred"),
        ] as [(AnswerCode, String)])
    func answersEndOperations(answer: AnswerCode, words: String) {
        let events = told([
            asked(1, .purchase, 1, quantity: 2), answered(5, answer, .purchase, 1),
        ])
        #expect(events == ["1 0 invoke purchase", "5 0 \(words)"])
    }

    @Test func whatIsNotAnsweredIsUnknown() {
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

    @Test func oneProcessDoesOneThingAtATime() {
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

    @Test func aSecondAnswerIsNoSecondEnd() {
        let events = told([
            asked(1, .purchase, 1), answered(2, .purchased, .purchase, 1),
            answered(3, .purchased, .purchase, 1), record(4, .settled(.init())),
        ])
        #expect(events == ["1 0 invoke purchase", "2 0 ok purchase"])
    }

    // MARK: The file

    private func lines(_ order: [Int], pieceLines: Int, piecesMerged: Int) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-\(UUID())").path
        let store = try OperationStore(folder: folder, piecesMerged: piecesMerged)
        defer { store.remove() }
        for start in stride(from: 0, to: order.count, by: pieceLines) {
            let piece = order[start..<min(order.count, start + pieceLines)].map { number in
                // Many at one time, several of one user at one time.
                OperationLog.Line(
                    at: Int64(number / 50), user: number / 5 % 10, number: number % 5, text: "\"n\":\(number)}")
            }
            store.add(piece.sorted())
        }
        return try String(contentsOfFile: store.finish(), encoding: .utf8)
    }

    @Test func theFileIsTheSameHoweverItCameTogether() throws {
        let inOrder = Array(0..<2_000)
        let expected = inOrder.map { "{\"index\":\($0),\"n\":\($0)}\n" }.joined()
        #expect(try lines(inOrder, pieceLines: 2_000, piecesMerged: 64) == expected)
        var chance = RandomStream(seed: 1, user: 0, purpose: .store)
        let mixed = inOrder.shuffled(using: &chance)
        #expect(try lines(mixed, pieceLines: 700, piecesMerged: 64) == expected)
        // More pieces than are open at a time, and several times so.
        #expect(try lines(mixed, pieceLines: 9, piecesMerged: 4) == expected)
        #expect(try lines([], pieceLines: 1, piecesMerged: 2).isEmpty)
    }

    @Test func aFolderThatCannotBeMadeIsTold() {
        #expect(throws: OperationStoreError(path: "/proc/none", code: ENOENT)) {
            _ = try OperationStore(folder: "/proc/none")
        }
    }
}
