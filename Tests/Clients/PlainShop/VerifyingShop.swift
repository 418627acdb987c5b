// The shop with a file, whose server looks at each purchase before it is delivered.

import Stampede
import StoreKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class VerifyingShop: FileShop, @unchecked Sendable {
    static let verifying = VerifyingShop()

    private static let server = URL(string: "https://api.example.com/verify")!
    private var verified: Set<String> = []

    override func deliver(_ transaction: SKPaymentTransaction) {
        let identifier = transaction.transactionIdentifier ?? ""
        guard transaction.transactionState == .purchased, !verified.contains(identifier) else {
            return super.deliver(transaction)
        }
        let told = Delivery(transaction)
        verify(identifier) { [self] isGood in
            guard isGood else {
                DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [self] in deliver(told.transaction) }
                return
            }
            verified.insert(identifier)
            deliver(told.transaction)
        }
    }

    private func verify(_ identifier: String, completion: @escaping @Sendable (Bool) -> Void) {
        var request = URLRequest(url: Self.server)
        request.httpMethod = "POST"
        request.httpBody = Data(identifier.utf8)
        let task = URLSession.shared.dataTask(with: request) { data, response, _ in
            let isGood = (response as? HTTPURLResponse)?.statusCode == 200 && data == Data("good".utf8)
            DispatchQueue.main.async { completion(isGood) }
        }
        task.resume()
    }
}

public class VerifyingShopClient: FileShopClient {
    override public class var name: String { "verifying-shop" }
    override class var shop: FileShop { VerifyingShop.verifying }
}

/// The same where devices run at once, and statics are everybody's: under the wall clock.
public final class OwnVerifyingShopClient: VerifyingShopClient {
    override public class var name: String { "own-verifying-shop" }
    override class var shop: FileShop { perDevice { VerifyingShop() } }
}
