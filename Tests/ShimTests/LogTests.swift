// Logs as purchase code writes them: `Logger`, `os_log` of both ages, signposts.

import ClientKit
import Dispatch
import Foundation
import RuntimePrograms
import Simulation
import StandaloneUse
import Testing
import os.log

private extension OSLog {
    static let purchases = OSLog(subsystem: "com.example.shop", category: "purchases")
}

private extension Logger {
    static let shop = Logger(subsystem: "com.example.shop", category: "shop")
}

private struct PurchaseError: Error { let code: Int }

@Suite(.serialized, .aloneOnTheDevice) struct LogTests {
    @Test func everyLogLevelHasItsMethod() {
        let lines = Output.ofError {
            Logger.shop.trace("1")
            Logger.shop.debug("2")
            Logger.shop.info("3")
            Logger.shop.notice("4")
            Logger.shop.log("5")
            Logger.shop.warning("6")
            Logger.shop.error("7")
            Logger.shop.critical("8")
            Logger.shop.fault("9")
            Logger.shop.log(level: .info, "10")
            Logger().info("11")
            Logger(.purchases).info("12")
        }
        let levels = ["debug", "debug", "info", "notice", "notice", "error", "error", "fault", "fault", "info"]
        #expect(
            lines == zip(levels, 1...).map { "[com.example.shop:shop] \($0): \($1)" } + [
                "info: 11", "[com.example.shop:purchases] info: 12",
            ])
    }

    @Test func interpolatedLogValuesKeepFormatAndPrivacy() {
        let identifier = "com.example.coins"
        let (quantity, price, isNew) = (3, 4.989, true)
        let error: Error = PurchaseError(code: 7)
        let missing: String? = nil
        let lines = Output.ofError {
            Logger.shop.info(
                "buying \(quantity) of \(identifier, privacy: .public) at \(price, format: .fixed(precision: 2))")
            Logger.shop.error("failed: \(error, privacy: .public), \(error.localizedDescription.isEmpty)")
            Logger.shop.info("token \(identifier, privacy: .private), \(quantity, privacy: .sensitive)")
            Logger.shop.info(
                "[\(quantity, align: .right(columns: 4))] [\(identifier, align: .left(columns: 20), privacy: .public)]")
            Logger.shop.info(
                "\(255, format: .hex(includePrefix: true, uppercase: true)) \(isNew) \(isNew, format: .answer)")
            Logger.shop.info(
                "\(UInt8(7), format: .decimal(minDigits: 3)) \(missing ?? "none") \(String(describing: missing))")
            Logger.shop.info("\(identifier, privacy: .private(mask: .hash))")
        }.map { $0.drop { $0 != " " } }
        #expect(
            lines == [
                " info: buying 3 of com.example.coins at 4.99", " error: failed: PurchaseError(code: 7), false",
                " info: token <private>, <private>", " info: [   3] [com.example.coins   ]", " info: 0xFF true yes",
                " info: 007 none nil", " info: <mask.hash: '652b8ce17be7f6da'>",
            ])
    }

    @Test func osLogFormatsItsArguments() {
        let products = ["coins", "lives"]
        let error: Error = PurchaseError(code: 7)
        let lines = Output.ofError {
            os_log("started")
            os_log("bought %{public}@", log: .purchases, type: .info, products[0])
            os_log("%d of %lu at %.2f, %{private}@", log: OSLog.purchases, type: .error, 1, UInt(2), 3.456, "secret")
            os_log(.debug, log: .purchases, "%{public}s 100%% %x", "\(error)" as NSString, -1 as Int32)
            os_log(.fault, "\(products.count, privacy: .public) products")
            os_log("%@ and %@", type: .default, products as NSArray, error as NSError)
            os_log("%@ %d", products[1])
            os_log("hidden", log: .disabled, type: .fault)
        }
        #expect(
            lines.prefix(5) == [
                "notice: started", "[com.example.shop:purchases] info: bought coins",
                "[com.example.shop:purchases] error: 1 of 2 at 3.46, <private>",
                "[com.example.shop:purchases] debug: PurchaseError(code: 7) 100% ffffffff", "fault: 2 products",
            ])
        #expect(lines.last == "notice: lives <missing>")
        #expect(OSLog.purchases.isEnabled(type: .debug) && !OSLog.disabled.isEnabled(type: .fault))
    }

    @Test func signpostsPrintNothing() {
        let lines = Output.ofError {
            let identifier = OSSignpostID(log: .purchases)
            os_signpost(.begin, log: .purchases, name: "Restore", signpostID: identifier)
            os_signpost(.end, log: .purchases, name: "Restore", signpostID: identifier, "%d restored", 3)
            let poster = OSSignposter(subsystem: "com.example.shop", category: "restore")
            let state = poster.beginInterval("Fetch", id: poster.makeSignpostID(), "\(3) products")
            poster.endInterval("Fetch", state)
            #expect(poster.withIntervalSignpost("Sum") { 1 + 1 } == 2)
            #expect(identifier != OSSignpostID(log: .purchases))
        }
        #expect(lines.isEmpty)
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct DeviceLogTests {
    @Test func logEntriesStayOnTheirDevice() {
        FoundationHooks.install()
        let (first, second) = (ProgramDevice(), ProgramDevice())
        #expect(first.run { Logger.shop.info("of the first") })
        #expect(
            second.run {
                DispatchQueue.global().async { os_log("of the second", log: .purchases, type: .error) }
            })
        #expect(first.device.takeLog().lines.map(\.text) == ["[com.example.shop:shop] info: of the first"])
        #expect(second.device.takeLog().lines.map(\.text) == ["[com.example.shop:purchases] error: of the second"])
    }
}
