// S70 to S74: what StoreKit 2 signs, for which device, and what cannot be verified; the app's own purchase.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct SignatureRulesTests {
    private struct JWS {
        let header: [String: Any]
        let payload: [String: Any]
        let parts: [Substring]

        init(_ text: String) throws {
            parts = text.split(separator: ".", omittingEmptySubsequences: false)
            func object(_ part: Substring) throws -> [String: Any] {
                var base64 = String(part).replacing("-", with: "+").replacing("_", with: "/")
                base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
                let data = try #require(Data(base64Encoded: String(base64)))
                return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            }
            (header, payload) = (try object(parts[0]), try object(parts[1]))
        }
    }

    private func success(_ result: Product.PurchaseResult) throws -> VerificationResult<Transaction> {
        guard case .success(let signed) = result else { throw NoSuccess(result: result) }
        return signed
    }

    // S70
    @Test func transactionIsACompactJWS() throws {
        let bench = launched()
        let signed = try success(try bench.purchase(Goods.pro))
        let (transaction, jws) = (try signed.payloadValue, try JWS(signed.jwsRepresentation))
        #expect(jws.parts.count == 3 && jws.header["alg"] as? String == "ES256")
        let chain = try #require(jws.header["x5c"] as? [String])
        #expect(chain == [StoreCertificates.leaf, StoreCertificates.intermediate, StoreCertificates.root])
        #expect(jws.payload["transactionId"] as? String == "\(transaction.id)")
        #expect(jws.payload["type"] as? String == "Auto-Renewable Subscription")
        let purchased = transaction.purchaseDate.timeIntervalSince1970 * 1_000
        #expect(jws.payload["purchaseDate"] as? Double == purchased.rounded())
        #expect(signed.jwsRepresentation == signed.jwsRepresentation)
        let signature = signed.signatureData.base64EncodedString().prefix(80)
        #expect(signature.replacing("+", with: "-").replacing("/", with: "_") == jws.parts[2].prefix(80))
        #expect(String(decoding: signed.signedData, as: UTF8.self) == jws.parts[0] + "." + jws.parts[1])
    }

    // S70
    @Test func renewalInformationIsACompactJWS() throws {
        let bench = launched()
        try bench.own(Goods.pro)
        let status = try #require(try bench.value { try await Product.SubscriptionInfo.status(for: "group").first })
        let jws = try JWS(status.renewalInfo.jwsRepresentation)
        #expect(jws.payload["autoRenewProductId"] as? String == Goods.pro)
        #expect(jws.payload["autoRenewStatus"] as? Int == 1 && jws.payload["renewalPrice"] is Int)
    }

    // S71
    @Test func deviceVerificationIsOfTheDeviceAndTheNonce() throws {
        let bench = launched()
        let transaction = try bench.own(Goods.hat)
        let identifier = try #require(try bench.value { AppStore.deviceVerificationID })
        let text = (transaction.deviceVerificationNonce.uuidString + identifier.uuidString).lowercased()
        #expect(Array(transaction.deviceVerification) == StoreSigner.shared?.sha384(Array(text.utf8)))
    }

    // S72
    @Test func eachHandingOverIsSignedAnew() throws {
        let bench = launched()
        let bought = try bench.own(Goods.hat)
        bench.run(for: .seconds(5))
        let listed = try #require(try bench.list { Transaction.all }.first)
        #expect(bought.id == listed.id && bought != listed)
        #expect(bought.deviceVerificationNonce != listed.deviceVerificationNonce)
        #expect(
            VerificationResult.verified(bought).jwsRepresentation
                != VerificationResult.verified(listed).jwsRepresentation)
    }

    // S73
    @Test(arguments: VerificationFlaw.allCases)
    func whatCannotBeVerifiedIsUnverifiedForItsReason(_ flaw: VerificationFlaw) throws {
        let bench = launched {
            $0.delivery.verification.fails = .all
            $0.delivery.verification.reason = flaw
        }
        guard case .unverified(let transaction, let error) = try success(try bench.purchase(Goods.coins)) else {
            Issue.record("it is verified")
            return
        }
        #expect(VerificationFlaw(error) == flaw && transaction.productID == Goods.coins)
        let result = VerificationResult.verified(transaction)
        let signed = SignedText.signature(of: Array(result.signedData))
        #expect((Array(result.signatureData) == signed) == (flaw == .invalidDeviceVerification))
        // It stays unfinished, and what is handed over later may be verified (S44).
        bench.device.terminate()
        bench.device.beginSettling()
        bench.launchWithoutObserver()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.coins])
    }

    // S73: nothing of it is in the store's books, and finishing it changes nothing.
    @Test func forgedTransactionIsUnverified() throws {
        let bench = launched { $0.delivery.verification.forged = .all }
        let results = Notes<VerificationResult<Transaction>>()
        bench.start {
            for await result in Transaction.updates {
                results.values.append(result)
                await result.unsafePayloadValue.finish()
            }
        }
        bench.runUntilQuiet()
        guard case .unverified(let transaction, .invalidSignature)? = results.values.first else {
            Issue.record("\(results.values.map(\.debugDescription))")
            return
        }
        #expect(results.values.count == 1 && !transaction.productID.isEmpty)
        let signed = SignedText.signature(of: Array(results.values[0].signedData))
        #expect(Array(results.values[0].signatureData) != signed)
        #expect(try bench.list { Transaction.all }.isEmpty && bench.charges() == 0)
    }

    // MARK: The app itself

    // S74
    @Test func appTransactionIsTheDevicesOrTheStores() throws {
        let bench = launched {
            $0.store.app.version = "3.1"
            $0.store.app.originalVersion = "2"
        }
        let app = try bench.value { try await AppTransaction.shared.payloadValue }
        #expect(app.appVersion == "3.1" && app.originalAppVersion == "2" && app.bundleID == "com.example.app")
        #expect(app.environment == .production && app.appID != nil)
        let transaction = try bench.own(Goods.hat)
        #expect(transaction.appTransactionID == app.appTransactionID)
        let jws = try JWS(try bench.value { try await AppTransaction.shared.jwsRepresentation })
        #expect(jws.payload["originalApplicationVersion"] as? String == "2")
    }

    // S74
    @Test func appTransactionFailsWithoutACopyAndANetwork() throws {
        let bench = launched {
            $0.link.offline = OfflineSpells(share: .all, duration: .constant(Span.hours(1).nanoseconds))
        }
        guard case .failure(let error)? = bench.outcome({ try await AppTransaction.shared }) else {
            Issue.record("there is a copy")
            return
        }
        guard case .networkError? = error as? StoreKitError else {
            Issue.record("\(error)")
            return
        }
    }

    // S74
    @Test func refreshingTheAppTransactionAsksForThePassword() throws {
        let bench = launched { $0.buyers.cancelRestore = .all }
        guard case .failure(let error)? = bench.outcome({ try await AppTransaction.refresh() }),
            case .userCancelled? = error as? StoreKitError
        else {
            Issue.record("the password was not cancelled")
            return
        }
    }
}
