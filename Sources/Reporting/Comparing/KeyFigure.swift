// The figures that answer first: what a page has on its first screen, of a report and of the runs before it.
// Constants; any thread.

import Judgement
import Metrics

/// One of them, in the order in which pages have them.
struct KeyFigure {
    /// What comparisons and the database call it.
    let name: String
    /// What a column of a table calls it.
    let column: String

    static let all = [
        KeyFigure(name: FigureName.violations(of: AuditRule.lostPurchase.rawValue), column: "Lost"),
        KeyFigure(name: FigureName.violations(of: AuditRule.duplicateDelivery.rawValue), column: "Doubled"),
        KeyFigure(name: MetricName.warnings.name, column: "Warnings"),
        KeyFigure(name: FigureName.usersAffected, column: "Users affected"),
        KeyFigure(name: MetricName.purchaseSuccess.name, column: "Answered as purchased"),
        KeyFigure(name: "\(MetricName.purchaseDuration.name) p(95)", column: "Duration, p95"),
        KeyFigure(name: FigureName.purchasesPerSecond, column: "Purchases/s"),
    ]
}
