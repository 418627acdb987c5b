// Operations as histories tell of them, and as they come to lie in one file.

import Foundation
import Simulation
import Testing

@testable import Engine

@Suite struct OperationTests {
    private func record(
        _ at: Int64, _ kind: HistoryRecord.Kind, _ number: Int64 = 0, code: Int = 0, other: Int64 = 0
    ) -> HistoryRecord {
        HistoryRecord(
            at: Instant(nanoseconds: at), kind: kind, process: 1, product: kind == .purchaseAsked ? 0 : nil,
            number: number, other: other, code: code)
    }

    /// `at thread type f error`, a line for each event.
    private func told(_ history: [HistoryRecord]) -> [String] {
        OperationReader.events(history, device: 1).map { event in
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
            record(1, .purchaseAsked, 1, code: 2), record(5, .purchaseAnswered, 1, code: answer.rawValue),
        ])
        #expect(events == ["1 0 invoke purchase", "5 0 \(words)"])
    }

    @Test func whatIsNotAnsweredIsUnknown() {
        #expect(
            told([record(1, .restoreAsked, 1), record(4, .crashed), record(9, .settled)])
                == ["1 0 invoke restore", "4 0 info restore crashed"])
        #expect(
            told([record(1, .fetchAsked, 1), record(4, .terminated)])
                == ["1 0 invoke products_fetch", "4 0 info products_fetch terminated"])
        #expect(
            told([record(1, .fetchAsked, 1), record(9, .settled)])
                == ["1 0 invoke products_fetch", "9 0 info products_fetch unanswered"])
    }

    @Test func oneProcessDoesOneThingAtATime() {
        let fetched = AnswerCode.fetched.rawValue
        let events = told([
            record(1, .fetchAsked, 1), record(2, .fetchAsked, 2), record(3, .fetchAnswered, 1, code: fetched),
            // The first is free again.
            record(4, .fetchAsked, 3), record(5, .crashed),
            // Both may still take effect.
            record(6, .fetchAsked, 4), record(7, .fetchAnswered, 4, code: fetched),
        ])
        #expect(
            events == [
                "1 0 invoke products_fetch", "2 1 invoke products_fetch", "3 0 ok products_fetch",
                "4 0 invoke products_fetch", "5 1 info products_fetch crashed", "5 0 info products_fetch crashed",
                "6 2 invoke products_fetch", "7 2 ok products_fetch",
            ])
    }

    @Test func aSecondAnswerIsNoSecondEnd() {
        let purchased = AnswerCode.purchased.rawValue
        let events = told([
            record(1, .purchaseAsked, 1), record(2, .purchaseAnswered, 1, code: purchased),
            record(3, .purchaseAnswered, 1, code: purchased), record(4, .settled),
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
