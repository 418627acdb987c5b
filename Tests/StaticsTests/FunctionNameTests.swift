// What functions are called in code, and whose they are, by their names in the symbol table.

import Foundation
import Testing

@testable import Statics

@Suite struct FunctionNameTests {
    // Names as Swift 6.3 wrote them.
    @Test(arguments: [
        ("$s10FaultyTool14PurchaseLedgerC12watchForeveryyF", "PurchaseLedger.watchForever()"),
        ("$s10FaultyTool14PurchaseLedgerC12watchForeveryyFyyYacfU_", "a closure in PurchaseLedger.watchForever()"),
        ("$s10FaultyTool14PurchaseLedgerC12watchForeveryyFyyYacfU_TY2_", "a closure in PurchaseLedger.watchForever()"),
        (
            "$s10FaultyTool14PurchaseLedgerC12watchForeveryyFyyYacfU_TATQ0_",
            "a closure in PurchaseLedger.watchForever()"
        ),
        ("$s10FaultyTool14PurchaseLedgerC6bought_5beginSbSS_yyXEtYaFTQ1_", "PurchaseLedger.bought(_:begin:)"),
        (
            "$s10FaultyTool14PurchaseLedgerC6bought_5beginSbSS_yyXEtYaFyScCySbs5NeverOGXEfU_",
            "a closure in PurchaseLedger.bought(_:begin:)"
        ),
        (
            "$s10FaultyTool14PurchaseLedgerC7isReady33_EAC58323D1FC0DF29EBCCC8BA5BFE62CLLSbvg",
            "PurchaseLedger.isReady.getter"
        ),
        (
            "$s10FaultyTool13HangingClientC12paymentQueue_19updatedTransactionsy8StoreKit09SKPaymentF0C_SayAF0K11TransactionCGtF",
            "HangingClient.paymentQueue(_:updatedTransactions:)"
        ),
        (
            "$s9PlainShop04FileB0C5fetch_10completionyShySSG_ys6ResultOySaySSGs5Error_pGctF",
            "FileShop.fetch(_:completion:)"
        ),
        ("main", "main"),
    ])
    func mangledFunctionNamesAreReadable(name: String, text: String) { #expect(FunctionName.readable(name) == text) }

    // What is private has the number of its file in its name, which no source has.
    @Test(arguments: [
        (
            "$s10MutantTool4ShopC14sharedInstance33_CA879A540BD30990A4023EECA1693872LLACvpZ", "Shop.sharedInstance"
        ),
        ("$s10MutantTool6Hidden33_CA879A540BD30990A4023EECA1693872LLC6sharedADvpZ", "Hidden.shared"),
    ])
    func singletonsAreNamedAsInTheirSources(name: String, written: String) {
        #expect(FunctionName.singleton(name)?.name == written)
    }

    @Test func descriptorsNameTheirClassAndMethod() {
        let found = FunctionName.describedMethod("$s1a3SubC3finyySiFTq")
        #expect(found?.type == "a.Sub" && found?.name == "fin(_:)")
        // An optimised build has none of a private class.
        #expect(FunctionName.describedMethod("$s1a4Priv33_EFF83A1F47B777EA672D48C97C71346FLLC3finyySiFTq") == nil)
    }

    @Test(arguments: [
        ("$s10FaultyTool14PurchaseLedgerC12watchForeveryyFyyYacfU_TY2_", "FaultyTool"),
        ("$ss22withUnsafeContinuation9isolation_xScA_pSgYi_ySccyxs5NeverOGXEtYalFTY0_", "Swift"),
        ("main", nil),
    ])
    func mangledNameGivesItsModule(name: String, module: String?) { #expect(FunctionName.module(of: name) == module) }

    // This function calls: it is found, with its line.
    @Test func codePlaceHasFunctionAndLine() throws {
        let calls = Thread.callStackReturnAddresses.map { $0.uintValue &- 1 }
        let line = #line - 1
        let place = ClientCode.place(of: calls)
        if place == 0 { return }  // A sanitizer's build may tell of no calls.
        let told = try #require(ClientCode.tell([place])[place])
        #expect(told.function == "FunctionNameTests.codePlaceHasFunctionAndLine()")
        #expect(told.line == line)
        #expect(told.file?.hasSuffix("FunctionNameTests.swift") == true, "\(told)")
    }
}
