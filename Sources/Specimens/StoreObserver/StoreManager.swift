// The vendor sample's product requests: one at a time, the answer in sections for a table.
// Asked on the main queue of the device, answered wherever StoreKit calls; tells its delegate on the main queue.

import ClientKit
import Foundation
import StoreKit

/// What the shop's table shows under one heading.
struct Section: Equatable {
    enum Kind { case availableProducts, invalidProductIdentifiers }

    let kind: Kind
    /// Identifiers; the table looks up their titles.
    let elements: [String]
}

/// Called on the main queue.
protocol StoreManagerDelegate: AnyObject {
    func storeManagerDidReceiveResponse(_ response: [Section])
    func storeManagerDidReceiveMessage(_ message: String)
}

final class StoreManager: NSObject {
    static var shared: StoreManager { perDevice { StoreManager() } }

    weak var delegate: (any StoreManagerDelegate)?
    /// Set by the app before the first request.
    var main: AppMainQueue?
    private(set) var availableProducts: [SKProduct] = []
    private(set) var invalidProductIdentifiers: [String] = []
    /// Retained until the next one: StoreKit may free an unretained request, and then it never answers.
    private var productRequest: SKProductsRequest?

    func startProductRequest(with identifiers: [String]) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        productRequest = request
        request.start()
    }

    func title(matchingIdentifier identifier: String) -> String? {
        availableProducts.first { $0.productIdentifier == identifier }?.localizedTitle
    }

    private var sections: [Section] {
        var sections: [Section] = []
        if !availableProducts.isEmpty {
            sections.append(
                Section(kind: .availableProducts, elements: availableProducts.map(\.productIdentifier)))
        }
        if !invalidProductIdentifiers.isEmpty {
            sections.append(Section(kind: .invalidProductIdentifiers, elements: invalidProductIdentifiers))
        }
        return sections
    }
}

extension StoreManager: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        availableProducts = response.products
        invalidProductIdentifiers = response.invalidProductIdentifiers
        let sections = sections
        main?.async { [weak self] in self?.delegate?.storeManagerDidReceiveResponse(sections) }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let message = error.localizedDescription
        main?.async { [weak self] in self?.delegate?.storeManagerDidReceiveMessage(message) }
    }
}
