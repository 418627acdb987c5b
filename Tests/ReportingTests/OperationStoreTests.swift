// Operations as they come to lie in one file.

import Foundation
import Simulation
import Testing

@testable import Judgement
@testable import Reporting

@Suite struct OperationStoreTests {
    private func lines(_ order: [Int], pieceLines: Int, piecesMerged: Int) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-\(UUID())").path
        let store = try OperationStore(folder: folder, piecesMerged: piecesMerged)
        defer { store.remove() }
        for start in stride(from: 0, to: order.count, by: pieceLines) {
            let piece = order[start..<min(order.count, start + pieceLines)].map { number in
                // Many at one time, several of one user at one time.
                OperationPieces.Line(
                    at: Int64(number / 50), user: number / 5 % 10, number: number % 5, text: "\"n\":\(number)}")
            }
            store.add(piece.sorted())
        }
        return try String(contentsOfFile: store.finish(), encoding: .utf8)
    }

    @Test func operationsFileIsTheSameInAnyOrderOfPieces() throws {
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

    @Test func operationLineHoldsTheClientsMessageAsJSON() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-\(UUID())").path
        let store = try OperationStore(folder: folder)
        defer { store.remove() }
        let log = store.makeLog()
        let event = OperationEvent(
            at: .start, device: 1, thread: 0, outcome: .fail, kind: .restore, error: "failed", message: "a \"b\"\n/c")
        log.add([event], user: 7, isOnlyDevice: true, Catalog(products: [], storefront: .unitedStates, locale: "en_US"))
        log.flush()
        let line = try String(contentsOfFile: store.finish(), encoding: .utf8)
        #expect(line.hasSuffix(#""error":"failed","message":"a \"b\"\n/c"}"# + "\n"), "\(line)")
    }

    @Test func operationStoreReportsAFolderItCannotMake() {
        #expect(throws: ReportFolder.failure("/proc/none", ENOENT)) {
            _ = try OperationStore(folder: "/proc/none")
        }
    }
}
