// What is remarked of apps that use StoreKit 2.

import Foundation
import Simulation
import Testing

@Suite struct ClientRemarksTests {
    // Against: too few parts, another beginning, and a slash, which base64url does not have.
    @Test(arguments: [
        (#"{"jws": "eyJhbGciOiJFUzI1NiJ9.e30.c2ln-_"}"#, true), ("token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln&user=1", true),
        ("eyJhbGciOiJFUzI1NiJ9.e30", false), ("shop.example.com", false), ("eyJh.e30/c2ln.x", false), ("", false),
    ])
    func requestKnowsWhetherItHoldsSignedData(body: String, isSigned: Bool) {
        #expect(WebRequest(url: "https://shop.example", body: Data(body.utf8)).holdsSignedData == isSigned)
    }

    // Of more parts the last would be left out, as of other kinds of remark.
    @Test func everyPartOfStoreKit2CanBeRemarked() {
        #expect(StoreKit2Use.allCases.count <= ClientRemarks.Found.subjectsMax)
    }
}
