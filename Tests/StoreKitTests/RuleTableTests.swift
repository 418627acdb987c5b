// Which test holds which rule of the contract, and that none is missing.

import Foundation
import Testing

enum RuleTable {
    /// Rules that the code beneath StoreKit claims, and the tests that hold them.
    static let tests: [Int: [String]] = [
        1: ["thereIsOneQueueAnApp", "theQueueSurvivesTheProcess"],
        2: ["observersAreNotRetained"],
        3: ["withoutAnObserverTheQueueIsEmptyAndSilent"],
        4: ["theFirstObserverIsToldWhatIsUnfinished", "aLaterObserverIsNotToldWhatIsKnown"],
        5: ["whatIsUnfinishedComesAgainAtEveryLaunch", "whatIsUnfinishedComesAgainFromTheBackground"],
        6: ["everyObserverIsToldEverything", "anObserverAddedTwiceIsToldAsTheKnobSays"],
        7: ["callbacksComeOnTheDevicesMainQueue", "callsFromAForeignQueueLandOnTheirDevice"],
        8: ["aLaunchDeliversInOneBatch"],
        9: ["aRemovedObserverIsToldNothingMore", "removingTheLastObserverStopsSynchronising"],
        10: ["paymentsRunSerially", "eachCallMakesATransactionOfACopy"],
        11: ["anImpossiblePaymentRaises", "tenIsTheMost", "anImpossiblePaymentTrapsOutsideAHarness"],
        12: [
            "purchasingComesBeforeTheOutcome", "anUnknownProductIsAnInvalidPayment",
            "disabledPaymentsAreNotAllowed", "canMakePaymentsIsThatOfTheDevice",
        ],
        13: ["statesFollowLegalTransitions"],
        14: ["fieldsAreSetAsTheStateSays", "datesAreOnTheSimulatedCalendar", "aFailedTransactionMayHaveNoError"],
        15: ["oneObjectStandsForATransactionUntilItsRemoval", "afterARelaunchObjectsAreNewAndIdentifiersTheSame"],
        16: [
            "errorsOfTheStoreAreSKErrors", "errorsOfTheNetworkAreNot",
            "aCodeThatStoreKitDoesNotDefineKeepsItsRawValue", "aCancelMayArriveUnderAnUndocumentedCode",
        ],
        17: ["finishingIsAsynchronousAndToldToEveryObserver"],
        18: ["finishingAPurchasingTransactionRaises", "aLeftoverOfAKilledPurchaseStandsInTheQueue"],
        19: [
            "finishingTwiceIsNothing", "finishingAForeignObjectIsNothing", "finishingADeferredTransactionIsNothing",
        ],
        20: ["afterAFailedFinishTheSameTransactionComesAgain"],
        21: ["whatIsFinishedNeverComesBack"],
        22: ["aRebuyBeforeTheRemovalReturnsTheOldTransaction", "oneFinishRemovesBothObjectsOfAPurchase"],
        23: ["whatIsOwnedIsBoughtAgainWithoutACharge", "whatIsOwnedMayArriveAsRestored"],
        24: ["anUnfinishedConsumableIsTheSameTransactionAgain", "anUnfinishedConsumableMayBeAnsweredBySilence"],
        25: ["anActiveSubscriptionFails"],
        26: ["onlyFinishedNonConsumablesAndSubscriptionsAreRestored", "unfinishedPurchasesAreNotRestored"],
        27: ["aRestoredTransactionIsNewAndCarriesTheOld", "freeRepurchasesAreNotRestored"],
        28: ["transactionsComeBeforeExactlyOneEnd", "nothingToRestoreIsTheEndAlone"],
        29: ["aCancelledPasswordIsACancelledPayment", "offlineIsAnErrorOfTheNetwork"],
        30: [
            "restoredTransactionsComeAgainUntilFinished", "restoringAgainDuplicates", "overlappingRestoresAreRejected",
        ],
        31: [
            "theUserNameFiltersOnlyWhereTheScenarioSaysSo",
            "theUserNameOfThePaymentIsThatOfTheRestoredTransaction",
        ],
        35: ["aPurchaseThatNeedsApprovalIsDeferred"],
        36: [
            "anApprovalCompletesThatVeryTransaction", "anApprovalMayComeInALaterLaunch",
            "anUnansweredRequestIsDroppedWithoutAWord",
        ],
        37: ["aDeclinedRequestEndsAsTheKnobSays"],
        38: ["whatIsDeferredComesAgainAtALaunchAsTheKnobSays"],
        40: [
            "anInterruptedPurchaseFailsAndComesAsANewTransaction", "theErrorOfAnInterruptedPurchaseIsAsTheKnobSays",
            "theFailureMayBeHeldBackUntilTheBuyerReturns",
        ],
        41: ["whileTheConditionLastsEveryPurchaseFails"],
        53: [
            "theResponseComesImmediatelyBeforeTheEnd", "aFailureIsTheOnlyCallback", "aSecondStartIsIgnored",
            "aCancelledRequestIsNeverHeardOfAgain", "aRequestThatNobodyHoldsIsFreedAndNeverAnswers",
            "theDelegateIsWeak",
        ],
        54: ["unknownIdentifiersAreInvalid", "findingNothingIsASuccess"],
        55: ["pricesAreThoseOfTheStorefront", "aPriceCanBeFormatted", "anIntroductoryPriceIsThatOfTheCatalog"],
    ]

    /// Rules, or parts of rules, that nothing in this package claims yet, and why.
    static let unclaimed: [Int: String] = [
        7: "only delivery on the device's main queue; the background and random modes are not made",
        9: "what happens to a callback in flight is documented nowhere",
        25: "the failure carries no underlying error 3532",
        53: "a request that hangs for ever is not made: an unanswered one ends by its timeout",
    ]

    static let required = Array(1...31) + Array(35...38) + [40, 41] + Array(53...55)
}

@Suite struct RuleTableTests {
    @Test(arguments: RuleTable.required)
    func everyRuleHasATestOrAReason(_ rule: Int) {
        #expect(RuleTable.tests[rule]?.isEmpty == false || RuleTable.unclaimed[rule] != nil)
    }

    @Test func theTableHoldsNoOtherRules() {
        let listed = Set(RuleTable.tests.keys).union(RuleTable.unclaimed.keys)
        #expect(listed.subtracting(RuleTable.required).isEmpty)
    }

    // A test that was renamed or removed must not linger in the table.
    @Test(arguments: RuleTable.required)
    func everyTestInTheTableExists(_ rule: Int) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let sources = try names.filter { $0 != "RuleTableTests.swift" }.map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        for test in RuleTable.tests[rule] ?? [] {
            let home = sources.first { $0.contains("func \(test)(") }
            #expect(home != nil, "\(test) is no test")
        }
    }
}
