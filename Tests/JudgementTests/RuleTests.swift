// Every rule of the audit against stories written by hand.

import Foundation
import Judgement
import ReportModel
import Reporting
import RunSupport
import Simulation
import Testing

@Suite struct RuleTests {
    @Test(arguments: RuleCase.all)
    func breachBreaksItsRuleAlone(item: RuleCase) {
        let story = Story(item.breach)
        #expect(story.findings.violations.map(\.rule) == [item.rule])
        #expect(story.findings.faults.isEmpty)
    }

    @Test(arguments: RuleCase.all)
    func nearMissBreaksNoRule(item: RuleCase) {
        #expect(Story(item.nearMiss).findings == AuditFindings())
    }

    @Test func everyRuleHasACase() {
        #expect(Set(RuleCase.all.map(\.rule)) == Set(AuditRule.allCases))
        #expect(RuleCase.all.count == AuditRule.allCases.count)
    }

    @Test func unobservedLaunchIsGraverIfAPurchaseWaits() throws {
        func found(finishes: Bool, isPaid: Bool = true) -> [Violation] {
            let story = Story { story in
                story.launch()
                let purchase = story.pay(Story.lives)
                if isPaid { story.complete(purchase) }
                if finishes {
                    story.tell(purchase)
                    story.deliver(Story.lives)
                    story.finish(purchase)
                }
                story.crash()
                story.launch()
                story.note(.launchReturned(observers: 0))
                story.end()
            }
            return story.findings.violations.filter { $0.rule == .unobservedLaunch }
        }
        #expect(found(finishes: false).map(\.severity) == [.error])
        #expect(found(finishes: true).map(\.severity) == [.warning])
        #expect(found(finishes: false, isPaid: false).map(\.severity) == [.warning])
    }

    // S84: an app that reads no purchase intents may offer nothing in the App Store.
    @Test func ignoredPromotionIsAWarningForAnAppThatReadsNoIntents() {
        func found(readsIntents: Bool, usesStoreKit2: Bool = true) -> [Severity] {
            let story = Story { story in
                story.usesStoreKit2 = usesStoreKit2
                story.launch()
                if readsIntents {
                    story.note(.promotionTapped(Story.maps))
                    story.note(.promotionAsked(Story.maps, .notNow))
                    story.bring(story.pay(Story.maps))
                }
                story.note(.promotionTapped(Story.lives))
                story.end()
            }
            return story.findings.violations.filter { $0.rule == .ignoredPromotion }.map(\.severity)
        }
        #expect(found(readsIntents: false) == [.warning])
        #expect(found(readsIntents: true) == [.error])
        #expect(found(readsIntents: false, usesStoreKit2: false) == [.error])
    }

    // People look up what a rule is held against.
    @Test func guideNamesEveryRule() throws {
        let guide = PackageFolder.url.appendingPathComponent("Sources/Stampede/Stampede.docc/ReadAReport.md")
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let missing = AuditRule.allCases.filter { rule in !rows.contains { $0.contains("`\(rule.rawValue)`") } }
        #expect(missing.isEmpty, "\(missing.map(\.rawValue))")
    }

    // The auditor keeps its tables from user to user: nobody's findings may depend on who came before.
    @Test func judgementDoesNotDependOnEarlierUsers() {
        var auditor = Auditor()
        for item in RuleCase.all + RuleCase.all.reversed() {
            #expect(auditor.audit(Story(item.breach).input).violations.map(\.rule) == [item.rule])
            #expect(auditor.audit(Story(item.nearMiss).input) == AuditFindings())
        }
    }

    @Test(arguments: RuleCase.all)
    func everyBreachHasASentenceAndATimeline(item: RuleCase) throws {
        let story = Story(item.breach)
        let narrator = Narrator(UserStory(of: story.input))
        let sentence = narrator.sentence(try #require(story.findings.violations.first))
        #expect(sentence.count > 20 && !sentence.contains("nil") && !sentence.contains("Optional"), "\(sentence)")
        let times = narrator.timeline.map(\.atNs)
        #expect(times == times.sorted() && times.count > 3)
    }

    @Test func lostPurchaseSentenceNamesEveryStage() throws {
        let item = try #require(RuleCase.all.first { $0.rule == .lostPurchase })
        let story = Story(item.breach)
        let sentence = Narrator(UserStory(of: story.input)).sentence(try #require(story.findings.violations.first))
        for part in [
            "charged", "crashed", " delivered it in launch 2", "no request for it was pending", "without granting it",
        ] {
            #expect(sentence.contains(part), "\(part) in: \(sentence)")
        }
    }

    @Test func sentenceNamesADeliveryAsRestored() throws {
        let story = Story { story in
            story.launch()
            _ = story.own(Story.maps)
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            story.complete(purchase, isCharged: false)
            story.tell(purchase, .restored)
            story.answer(.purchase, request, .purchased)
            story.end()
        }
        let sentences = story.findings.violations.filter { $0.rule == .stuckTransaction }
            .map { Narrator(UserStory(of: story.input)).sentence($0) }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains("StoreKit delivered it as restored at") && !$0.contains("never delivered")
            })
    }
}
