// What the loader says of broken files: every mistake, where it is, what to do.

import Foundation
import Simulation
import Testing
import Text

@testable import CatalogFile

@Suite struct CatalogFileErrorTests {
    private func errors(_ text: String) -> Problems? {
        do {
            _ = try CatalogFile.parse(data: Data(text.utf8), file: "x.storekit")
            return nil
        } catch {
            return error
        }
    }

    private func loadErrors(_ path: String) -> Problems? {
        do {
            _ = try CatalogFile.load(path: path)
            return nil
        } catch {
            return error
        }
    }

    /// `line:column: message; hint`
    private func brief(_ problem: Problem) -> String {
        let place = problem.position.map { "\($0.line):\($0.column): " } ?? ""
        return place + problem.message + (problem.hint.map { "; \($0)" } ?? "")
    }

    @Test func fileReportsEveryMistakeAtOnce() {
        let path = fixturePath("Mistakes.storekit")
        let lines = loadErrors(path)?.problems.map(brief) ?? []
        let storefronts = StorefrontValue.knownCountryCodes.joined(separator: " ")
        let identifier = "give every product an identifier such as \"com.example.coins\""
        let price = "write a price in quotes, such as \"0.99\""
        let types = "use Consumable, NonConsumable, NonRenewingSubscription"
        let mode = "use free, payAsYouGo or payUpFront"
        let period = "write an ISO 8601 period of one unit, such as \"P1M\", \"P1W\" or \"P3D\""
        let group = "give the group its own identifier"
        let count = "write a whole number from 1 to 1000, without quotes"
        let first = "subscriptionGroups[0].subscriptions[0]"
        #expect(
            lines == [
                "1:1: version: missing; add {\"major\": 4, \"minor\": 0}, or export the file from Xcode again",
                "20:20: products[1].productID: 'demo.coins' is already the identifier of products[0]; \(identifier)",
                "34:15: products[2].type: 'Consumabel' is not a product type; \(types)",
                "35:20: products[2].productID: empty; \(identifier)",
                "52:23: products[3].displayPrice: '0,99' is not a price; write it with a point, such as \"0.99\"",
                "67:23: products[4].displayPrice: expected a string, found the number '0.99'; write a price in quotes, such as \"0.99\"",
                "82:23: products[5].displayPrice: '-1' is not a price; write a price that is not negative, such as \"0.99\"",
                "97:23: products[6].displayPrice: 'free' is not a price; write digits and at most one point, such as \"0.99\"",
                "112:23: products[7].displayPrice: '1000000000.01' is more than 1000000000; check the currency and the zeros",
                "123:5: products[8].productID: missing; \(identifier)",
                "123:5: products[8].displayPrice: missing; \(price)",
                "137:15: products[9].type: a RecurringSubscription does not belong here; \(types)",
                "156:26: products[10].familyShareable: expected true or false, found the string 'no'; write true or false, without quotes",
                "174:9: products[11].localizations[0].locale: missing; name a language and region, such as \"en_US\"",
                "179:5: products[12]: expected an object, found the number '7'; write an object in braces",
                "181:31: nonRenewingSubscriptions: expected an array, found an object; write an array in brackets",
                "183:20: settings._storefront: 'XYZ' is not a storefront; use one of \(storefronts)",
                "184:16: settings._locale: expected a string, found the number '3'; write a string in quotes",
                "196:26: \(first).groupNumber: 0 is out of range; \(count)",
                "197:42: \(first).recurringSubscriptionPeriod: '1M' is not a period; \(period)",
                "203:28: \(first).introductoryOffer.paymentMode: 'gratis' is not a payment mode; \(mode)",
                "204:35: \(first).introductoryOffer.subscriptionPeriod: 'P0D' is not a period; \(period)",
                "219:13: subscriptionGroups[0].subscriptions[1].adHocOffers[0].displayPrice: missing; \(price)",
                "223:34: subscriptionGroups[0].subscriptions[1].adHocOffers[0].numberOfPeriods: expected a whole number, found the string '3'; \(count)",
                "231:34: subscriptionGroups[0].subscriptions[2].subscriptionGroupID: 'B9' is not the group that contains it; "
                    + "write 'B1', or move it to its group",
                "239:13: subscriptionGroups[0].subscriptions[2].codeOffers[0].subscriptionPeriod: missing; \(period)",
                "247:13: subscriptionGroups[1].id: 'B1' is already the identifier of subscriptionGroups[0]; \(group)",
            ])
    }

    @Test(arguments: [
        (#""displayPrice": 1"#, "3:59: products[0].displayPrice: expected a string, found the number '1'"),
        (
            #""displayPrice": "1", "familyShareable": "no""#,
            "3:83: products[0].familyShareable: expected true or false, found the string 'no'"
        ),
        // What is missing is missed in its object.
        (#""internalID": "A""#, "3:2: products[0].displayPrice: missing"),
    ])
    func mistakesInValuesCarryLineAndColumn(price: String, complaint: String) {
        let text = """
            {"version": {"major": 4},
             "products": [
             {"type": "Consumable", "productID": "é", \(price)}
            ]}
            """
        #expect(
            errors(text).map { brief($0.problems[0]).hasPrefix(complaint) } == true,
            "\(String(describing: errors(text)))")
    }

    @Test func valueOutsideAnObjectIsReportedAtTheFileStart() {
        #expect(errors("\n {}").map { brief($0.problems[0]).hasPrefix("2:2: version: missing") } == true)
    }

    @Test func loaderRefusesANewerFormatVersion() {
        let path = fixturePath("Version6_0.storekit")
        #expect(
            loadErrors(path)?.problems.map(brief) == [
                "4:14: version.major: version 6 is newer than this program knows; "
                    + "save the file in format 5.0 or older, or update Stampede"
            ])
    }

    @Test(arguments: [
        ("Malformed.storekit", "3:28: '\"' stands where ',' or '}' should; "),
        ("Truncated.storekit", "3:1: the file ends where a value should follow; restore the rest of the file"),
        ("Latin1.storekit", "1:19: the file is not valid UTF-8; save it as UTF-8 text"),
        ("Missing.storekit", "no such file; check the path; a scenario's catalog is relative to the scenario"),
        ("", "this is a folder; name one .storekit file in it"),
    ])
    func unreadableFileErrorGivesReasonAndPlace(file: String, complaint: String) {
        let found = loadErrors(fixturePath(file))?.problems ?? []
        #expect(found.count == 1 && found.allSatisfy { brief($0).hasPrefix(complaint) }, "\(found)")
    }

    @Test func loaderRefusesAFileWhoseRootIsAnArray() {
        let found = errors("[]")?.problems.map(brief)
        #expect(found == ["1:1: expected an object, found an array; pass a .storekit file made by Xcode 12 or later"])
    }

    @Test func brokenJSONErrorShowsItsLine() {
        let hint = "export the file from Xcode again, or correct the JSON"
        #expect(
            errors("{\n  \"version\": nul}")?.description
                == "x.storekit:2:14: error: 'n' stands where a value should\n      \"version\": nul}\n"
                + "                 ^\nhint: \(hint)")
    }

    @Test func parserRefusesFilesOverTheSizeLimit() {
        let data = Data(repeating: 0x20, count: CatalogFile.bytesMax + 1)
        #expect(throws: Problems.self) { try CatalogFile.parse(data: data, file: "x") }
    }

    @Test func loaderRefusesDeviceFiles() {
        #expect(loadErrors("/dev/null")?.problems[0].message == "this is not a regular file")
    }

    @Test func loaderKeepsAtMostAHundredErrors() {
        let products = Array(repeating: "{}", count: 200).joined(separator: ",")
        let all = errors("{\"version\": {\"major\": 4}, \"products\": [\(products)]}")
        #expect(all?.problems.count == 100)
        #expect(all?.omitted == 500)
        #expect(all?.description.hasSuffix("\nand 500 more; correct these first") == true)
    }

    // Whatever happens to a file, the loader answers with a catalog or with errors.
    @Test func mutatedCatalogFilesNeverTrapTheParser() throws {
        let seeds = try ["Version1_0", "Version4_0", "Version5_0", "Mistakes", "Offers"].map {
            try Array(Data(contentsOf: URL(fileURLWithPath: fixturePath("\($0).storekit"))))
        }
        var stream = RandomStream(seed: 4, user: 0, purpose: .store)
        let interesting = Array("{}[]\",:\\u0-.eE9ntf\u{0}\n".utf8)
        var refused = 0
        for round in 0..<2_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...stream.below(4) {
                let place = Int(stream.below(UInt64(bytes.count)))
                switch stream.below(5) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: stream.next())
                case 1: bytes[place] = interesting[Int(stream.below(UInt64(interesting.count)))]
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(stream.below(40))))
                case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            do {
                _ = try CatalogFile.parse(data: Data(bytes), file: "x")
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(refused > 500)
        #expect(refused < 2_000)
    }
}
