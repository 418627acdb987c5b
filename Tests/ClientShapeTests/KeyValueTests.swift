// Objects that tests of apps make and fill by key, because their properties have no setters.

import Foundation
import StoreKit
import Testing

@Suite struct KeyValueTests {
    @Test func setValueFillsAProduct() {
        let period = SKProductSubscriptionPeriod()
        period.setValue(2, forKey: "numberOfUnits")
        period.setValue(SKProduct.PeriodUnit.year.rawValue, forKey: "unit")
        let product = SKProduct()
        product.setValue("coins", forKey: "productIdentifier")
        product.setValue("Coins", forKey: "localizedTitle")
        product.setValue("A hundred.", forKey: "localizedDescription")
        product.setValue(Locale(identifier: "de_DE"), forKey: "priceLocale")
        product.setValue(period, forKey: "subscriptionPeriod")
        product.setValue("group", forKey: "subscriptionGroupIdentifier")
        product.setValue(true, forKey: "isFamilyShareable")
        #expect(product.productIdentifier == "coins" && product.localizedTitle == "Coins")
        #expect(product.localizedDescription == "A hundred." && product.priceLocale.identifier == "de_DE")
        #expect(product.subscriptionPeriod?.numberOfUnits == 2 && product.subscriptionPeriod?.unit == .year)
        #expect(product.subscriptionGroupIdentifier == "group" && product.isFamilyShareable)
        product.setValue(nil, forKey: "subscriptionGroupIdentifier")
        #expect(product.subscriptionGroupIdentifier == nil)
    }

    // A price set as a binary fraction is the decimal one that was written. A plain conversion of this one keeps the
    // fraction's error.
    @Test(
        arguments: [
            NSDecimalNumber(string: "0.07"), NSNumber(value: 0.07), 0.07, Decimal(string: "0.07")!,
        ] as [Any])
    func setValueTakesAnyNumberAsAPrice(_ price: Any) {
        let product = SKProduct()
        product.setValue(price, forKey: "price")
        #expect(product.price == NSDecimalNumber(string: "0.07"))
        let discount = SKProductDiscount()
        discount.setValue(price, forKey: "price")
        #expect(discount.price.decimalValue == Decimal(string: "0.07"))
    }

    @Test func setValueTakesAnIntegerAsAPrice() {
        let product = SKProduct()
        product.setValue(3, forKey: "price")
        #expect(product.price == 3)
    }

    @Test func setValueFillsATransaction() {
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        let first = SKPaymentTransaction()
        first.setValue("1", forKey: "transactionIdentifier")
        let transaction = SKPaymentTransaction()
        transaction.setValue(SKPaymentTransactionState.restored.rawValue, forKey: "transactionState")
        transaction.setValue("2", forKey: "transactionIdentifier")
        transaction.setValue(Date(timeIntervalSince1970: 5), forKey: "transactionDate")
        transaction.setValue(payment, forKey: "payment")
        transaction.setValue(first, forKey: "original")
        transaction.setValue(SKError(.clientInvalid), forKey: "error")
        #expect(transaction.transactionState == .restored && transaction.transactionIdentifier == "2")
        #expect(transaction.transactionDate == Date(timeIntervalSince1970: 5) && transaction.payment === payment)
        #expect(transaction.original === first && first.transactionIdentifier == "1")
        #expect((transaction.error as? SKError)?.code == .clientInvalid)
        transaction.setValue(nil, forKey: "error")
        transaction.setValue(SKPaymentTransactionState.failed, forKey: "transactionState")
        #expect(transaction.error == nil && transaction.transactionState == .failed)
        transaction.setValue(NSNumber(value: 77), forKey: "transactionState")
        #expect(transaction.transactionState.rawValue == 77)
    }

    // An immutable payment too.
    @Test func setValueFillsAPayment() {
        let payment = SKPayment()
        payment.setValue("coins", forKey: "productIdentifier")
        payment.setValue(3, forKey: "quantity")
        payment.setValue("ann", forKey: "applicationUsername")
        payment.setValue(true, forKey: "simulatesAskToBuyInSandbox")
        payment.setValue(Data([1]), forKey: "requestData")
        #expect(payment.productIdentifier == "coins" && payment.quantity == 3 && payment.simulatesAskToBuyInSandbox)
        #expect(payment.applicationUsername == "ann" && payment.requestData == Data([1]))
        payment.setValue(nil, forKey: "applicationUsername")
        #expect(payment.applicationUsername == nil)
    }

    @Test func setValueFillsEveryOtherClass() {
        let discount = SKProductDiscount()
        discount.setValue(2, forKey: "paymentMode")
        discount.setValue(1, forKey: "type")
        discount.setValue("half", forKey: "identifier")
        discount.setValue(4, forKey: "numberOfPeriods")
        #expect(discount.paymentMode == .freeTrial && discount.type == .subscription)
        #expect(discount.identifier == "half" && discount.numberOfPeriods == 4)
        let response = SKProductsResponse()
        response.setValue([FakeProduct()], forKey: "products")
        response.setValue(["x"], forKey: "invalidProductIdentifiers")
        #expect(response.products.count == 1 && response.invalidProductIdentifiers == ["x"])
        let storefront = SKStorefront()
        storefront.setValue("JPN", forKey: "countryCode")
        #expect(storefront.countryCode == "JPN")
        let download = SKDownload()
        download.setValue(0.5, forKey: "progress")
        download.setValue(SKDownloadState.paused.rawValue, forKey: "state")
        #expect(download.progress == 0.5 && download.state == .paused && download.downloadState == .paused)
        let signed = SKPaymentDiscount()
        signed.setValue("half", forKey: "identifier")
        signed.setValue(5, forKey: "timestamp")
        #expect(signed.identifier == "half" && signed.timestamp == 5)
    }

    // What has no key, or takes something else, is a mistake of the test that sets it.
    @Test func setValueForAnUnknownKeyTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SKProduct().setValue("x", forKey: "productIdentifer")
        }
        #expect(complaint(result).contains("SKProduct has no key \"productIdentifer\""))
    }

    @Test func setValueOfAnotherTypeTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SKProduct().setValue("free", forKey: "price")
        }
        #expect(complaint(result).contains("SKProduct.price takes NSDecimalNumber, not String free"))
    }

    @Test func setValueNilForANonNilPropertyTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SKPaymentTransaction().setValue(nil, forKey: "payment")
        }
        #expect(complaint(result).contains("SKPaymentTransaction.payment is never nil"))
    }

    private func complaint(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
