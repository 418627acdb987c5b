// What the loader says of broken files: every mistake, where it is, what to do.

import Foundation
import Testing

@testable import Simulation

@Suite struct CatalogFileErrorTests {
    private func errors(_ text: String) -> CatalogFileErrors? {
        do {
            _ = try CatalogFile.parse(data: Data(text.utf8), file: "x.storekit")
            return nil
        } catch {
            return error
        }
    }

    private func loadErrors(_ path: String) -> CatalogFileErrors? {
        do {
            _ = try CatalogFile.load(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyMistakeOfAFileIsReportedAtOnce() {
        let path = fixturePath("Mistakes.storekit")
        let lines = loadErrors(path)?.description.split(separator: "\n").map { $0.dropFirst(path.count + 1) } ?? []
        let storefronts = Storefront.knownCountryCodes.joined(separator: " ")
        let identifier = "give every product an identifier such as \"com.example.coins\""
        let price = "write a price in quotes, such as \"0.99\""
        let types = "use Consumable, NonConsumable, NonRenewingSubscription"
        let mode = "use free, payAsYouGo or payUpFront"
        let period = "write an ISO 8601 period of one unit, such as \"P1M\", \"P1W\" or \"P3D\""
        let group = "give the group an identifier of its own"
        let count = "write a whole number from 1 to 1000, without quotes"
        let first = "subscriptionGroups[0].subscriptions[0]"
        #expect(
            lines == [
                "1:1: version: missing; add {\"major\": 4, \"minor\": 0}, or export the file from Xcode again",
                "183:20: settings._storefront: \"XYZ\" is not a storefront; use one of \(storefronts)",
                "184:16: settings._locale: holds a number; write a string in quotes",
                "179:5: products[12]: holds a number; write an object in braces",
                "20:20: products[1].productID: \"demo.coins\" is already the identifier of products[0]; \(identifier)",
                "34:15: products[2].type: \"Consumabel\" is not a product type; \(types)",
                "35:20: products[2].productID: empty; \(identifier)",
                "52:23: products[3].displayPrice: \"0,99\" is not a price; write it with a point, such as \"0.99\"",
                "67:23: products[4].displayPrice: 0.99 is a number; write the price in quotes, such as \"0.99\"",
                "82:23: products[5].displayPrice: \"-1\" is not a price; prices are never negative; write such as \"0.99\"",
                "97:23: products[6].displayPrice: \"free\" is not a price; write digits and at most one point, such as \"0.99\"",
                "112:23: products[7].displayPrice: \"1000000000.01\" is more than 1000000000; check the currency and the zeros",
                "123:5: products[8].productID: missing; \(identifier)",
                "123:5: products[8].displayPrice: missing; \(price)",
                "137:15: products[9].type: a RecurringSubscription does not belong here; \(types)",
                "156:26: products[10].familyShareable: holds a string; write true or false, without quotes",
                "174:9: products[11].localizations[0].locale: missing; name a language and region, such as \"en_US\"",
                "181:31: nonRenewingSubscriptions: holds an object; write an array in brackets",
                "196:26: \(first).groupNumber: 0 is not possible here; \(count)",
                "197:42: \(first).recurringSubscriptionPeriod: \"1M\" is not a period; \(period)",
                "203:28: \(first).introductoryOffer.paymentMode: \"gratis\" is not a payment mode; \(mode)",
                "204:35: \(first).introductoryOffer.subscriptionPeriod: \"P0D\" is not a period; \(period)",
                "219:13: subscriptionGroups[0].subscriptions[1].adHocOffers[0].displayPrice: missing; \(price)",
                "223:34: subscriptionGroups[0].subscriptions[1].adHocOffers[0].numberOfPeriods: holds a string; \(count)",
                "231:34: subscriptionGroups[0].subscriptions[2].subscriptionGroupID: \"B9\" is not the group that it stands in; "
                    + "write \"B1\", or move it to its group",
                "239:13: subscriptionGroups[0].subscriptions[2].codeOffers[0].subscriptionPeriod: missing; \(period)",
                "247:13: subscriptionGroups[1].id: \"B1\" is already the identifier of subscriptionGroups[0]; \(group)",
            ])
    }

    @Test(arguments: [
        (#""displayPrice": 1"#, "3:60: products[0].displayPrice: 1 is a number"),
        (#""displayPrice": "1", "familyShareable": "no""#, "3:84: products[0].familyShareable: holds a string"),
        // What is missing is missed in its object.
        (#""internalID": "A""#, "3:2: products[0].displayPrice: missing"),
    ])
    func mistakesInValuesArePlacedInTheText(price: String, complaint: String) {
        let text = """
            {"version": {"major": 4},
             "products": [
             {"type": "Consumable", "productID": "é", \(price)}
            ]}
            """
        #expect(
            errors(text)?.description.hasPrefix("x.storekit:" + complaint) == true, "\(errors(text)?.description ?? "")"
        )
    }

    @Test func valuesWithoutAnObjectArePlacedAtTheStart() {
        #expect(errors("\n {}")?.description.hasPrefix("x.storekit:2:2: version: missing") == true)
    }

    @Test func aNewerFormatIsNotGuessedAt() {
        let path = fixturePath("Version6_0.storekit")
        #expect(
            loadErrors(path)?.description
                == "\(path):4:14: version.major: version 6 is newer than this program knows; "
                + "save the file in format 5.0 or older, or update Stampede")
    }

    @Test(arguments: [
        (
            "Malformed.storekit",
            ":3:28: '\"' stands where ',' or '}' should; export the file from Xcode again, or correct the JSON"
        ),
        ("Truncated.storekit", ":3:1: the file ends where a value should follow; restore the rest of the file"),
        ("Latin1.storekit", ": not UTF-8 text; save it as UTF-8; Xcode does"),
        ("Missing.storekit", ": no such file; check the path; a scenario's catalog is relative to the scenario"),
        ("", ": is a directory; name the .storekit file inside it"),
    ])
    func unreadableFilesSayWhyAndWhere(file: String, complaint: String) {
        let path = fixturePath(file)
        #expect(loadErrors(path)?.description == path + complaint)
    }

    @Test(arguments: [
        ("", ":1:1: the file ends where a value should follow"),
        ("[]", ": holds an array where an object should be"),
        ("{} x", ":1:4: the document has ended, and more follows"),
        ("{\"a\": 1,\n \"a\": 2}", ":2:2: key \"a\" stands twice in one object"),
        ("{\"a\": \"b", ":1:7: this string never ends"),
        ("{\"a\": \"\\ud800\"}", ":1:8: this escape names no character"),
        ("{\"a\": \"\t\"}", ":1:8: a control character stands in a string"),
        ("{\"a\": 01}", ":1:8: '1' stands where ',' or '}' should"),
        ("{\"a\": -}", ":1:8: '}' stands where a digit should"),
        ("{\"a\": nul}", ":1:7: 'n' stands where a value should"),
    ])
    func brokenJSONIsPlaced(text: String, complaint: String) {
        #expect(
            errors(text)?.description.hasPrefix("x.storekit" + complaint + ";") == true,
            "\(String(describing: errors(text)))")
    }

    @Test func escapesAreRead() throws {
        let value = try CatalogJSONReader.read(Array(#"["\u00e9\ud83d\ude00\n\/"]"#.utf8))
        #expect(value == .array([.string("é😀\n/")]))
    }

    @Test func deepNestingIsAnError() {
        let text = String(repeating: "[", count: 200_000)
        #expect(errors(text)?.errors[0].message == "nested more than 64 deep")
    }

    @Test func largeFilesAreNotRead() {
        let data = Data(repeating: 0x20, count: CatalogFile.bytesMax + 1)
        #expect(throws: CatalogFileErrors.self) { try CatalogFile.parse(data: data, file: "x") }
    }

    @Test func devicesAreNotFiles() {
        #expect(loadErrors("/dev/null")?.errors[0].message == "is not a regular file")
    }

    @Test func noMoreThanAHundredErrorsAreKept() {
        let products = Array(repeating: "{}", count: 200).joined(separator: ",")
        let all = errors("{\"version\": {\"major\": 4}, \"products\": [\(products)]}")
        #expect(all?.errors.count == 100)
        #expect(all?.omitted == 500)
        #expect(all?.description.hasSuffix("x.storekit: and 500 more; correct these first") == true)
    }

    @Test func longAndOddValuesAreShownShort() {
        #expect(quotedForMessage(String(repeating: "a", count: 99)) == "\"\(String(repeating: "a", count: 40))…\"")
        #expect(quotedForMessage("\u{1B}[31m\"\n") == "\"\u{FFFD}[31m\\\"\\n\"")
    }

    // Whatever happens to a file, the loader answers with a catalog or with errors.
    @Test func mutatedFilesNeverTrap() throws {
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
