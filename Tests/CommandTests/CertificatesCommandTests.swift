// `stampede certificates`: a verifier that trusts the root accepts the chain.

import Foundation
import ReportModel
import Testing

@Suite struct CertificatesCommandTests {
    @Test func chainIsValidUnderTheRoot() throws {
        let place = try Workplace()
        let outcome = try place.stampede("certificates", "--out", "keys")
        #expect(outcome.isStatus(.passed) && outcome.out.contains("keys/chain.pem"), "\(outcome)")
        // Of the chain, the leaf is checked.
        let check = "openssl verify -x509_strict -CAfile keys/root.pem -untrusted keys/chain.pem keys/chain.pem"
        #expect(try place.shell(check).status == 0)
        #expect(try place.shell(check.replacing("-CAfile keys/root.pem", with: "-no-CAfile")).status != 0)
        let root = try place.stampede("certificates")
        #expect(root.out == (try String(contentsOf: place.folder.appending(path: "keys/root.pem"), encoding: .utf8)))
        #expect(try place.shell("openssl x509 -inform der -in keys/root.der -noout").status == 0)
    }
}
