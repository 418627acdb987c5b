// The matrix for terminals and for Markdown.
// Pure; any thread.

package import ReportModel
import Text

package enum MatrixText {
    // MARK: Terminal

    /// First who is clean where, then the figures, client by client. Where somebody is not, the figures are left out of a text
    /// that would be long.
    package static func render(
        _ report: MatrixReport, style: TerminalStyle, width: Int = 80, extent: TextExtent = .whole
    ) -> String {
        let nameWidth = min(32, (report.rows.map(\.scenario.count).max() ?? 0) + 2)
        if extent == .problems { return problems(report, style: style, width: width) }
        let clients = report.clients.enumerated().map { ["  \($0 + 1)  \($1)"] }
        let heading = style.paint("CLIENTS AND SCENARIOS", .heading)
        let columns = style.paint(
            TextLayout.padded("", to: nameWidth)
                + report.clients.indices.map { TextLayout.paddedLeft("\($0 + 1)", to: 6) }.joined(), .quiet)
        let rows = report.rows.map { row in
            [
                TextLayout.padded(TextLayout.safe(String(row.scenario.prefix(nameWidth - 1))), to: nameWidth)
                    + row.cells.map { mark($0, style) }.joined()
            ]
        }
        let legend = legend(style, width: width)
        let end = [""] + closing(report, style: style, width: width)
        let figures = report.clients.enumerated().flatMap { place, client in
            ["", style.paint(client, .heading), style.paint(self.heading(nameWidth), .quiet)]
                + report.rows.map { self.figures($0, place, nameWidth) }
        }
        let whole = [heading] + clients.flatMap(\.self) + [columns] + rows.flatMap(\.self) + legend + figures + end
        if extent == .whole || report.isClean || LineBudget.fits(whole) { return whole.joined(separator: "\n") + "\n" }
        return LineBudget.text(
            [],
            [LineBudget.List(heading: [heading], items: clients), LineBudget.List(heading: [columns], items: rows)],
            rest: { LineBudget.rest(left: $0, of: "row", ["the figures"], style: style, width: width) }, legend + end)
    }

    /// Which client broke rules in which scenario.
    private static func problems(_ report: MatrixReport, style: TerminalStyle, width: Int) -> String {
        if report.isClean { return "" }
        let wrong = report.rows.flatMap { row in
            report.clients.enumerated().compactMap { place, client -> [String]? in
                guard let cell = row.cell(place), cell.isWrong else { return nil }
                return LineBudget.cut(
                    style.wrapped("\(client), \(row.scenario): \(words(cell))", width: width, indent: 2), to: 2)
            }
        }
        return LineBudget.text(
            [], [LineBudget.List(items: wrong)],
            rest: { LineBudget.rest(left: $0, of: "row", [], style: style, width: width) },
            closing(report, style: style, width: width))
    }

    /// `6 × lost-purchase, 2 × stuck-transaction`
    private static func words(_ cell: MatrixReport.Cell) -> String {
        switch verdict(cell) {
        case .fault: return "a fault of the harness"
        case .crash where cell.rules.isEmpty: return "the client crashed"
        default: break
        }
        let rules = cell.rules.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        return HumanNumbers.list(rules.map { "\(HumanNumbers.count($0.value)) × \($0.key)" })
    }

    private static func closing(_ report: MatrixReport, style: TerminalStyle, width: Int) -> [String] {
        let tone: Tone = report.isClean ? .good : report.isWrong ? .bad : .doubtful
        return ClosingWords.lines(
            "\(tone.mark) \(ClosingWords.sentence(report))", tone, next: ClosingWords.next(report), style: style,
            width: width)
    }

    private static func mark(_ cell: MatrixReport.Cell?, _ style: TerminalStyle) -> String {
        let (text, tone): (String, Tone) =
            switch verdict(cell) {
            case .notRun: ("·", .quiet)
            case .untried: ("–", .quiet)
            case .fault: ("fault", .bad)
            case .crash: ("crash", .bad)
            case .critical: ("✗✗", .bad)
            case .error: ("✗", .bad)
            case .warning: ("!", .doubtful)
            case .clean: ("✓", .good)
            }
        return String(repeating: " ", count: 6 - text.count) + style.paint(text, tone)
    }

    private enum Verdict { case notRun, untried, fault, crash, critical, error, warning, clean }

    private static func verdict(_ cell: MatrixReport.Cell?) -> Verdict {
        guard let cell else { return .notRun }
        if cell.exitCode == Int(ExitStatus.harnessFault.rawValue) { return .fault }
        if cell.exitCode == Int(ExitStatus.clientCrashed.rawValue) { return .crash }
        if cell.critical > 0 { return .critical }
        if cell.error > 0 { return .error }
        if cell.warning > 0 { return .warning }
        return cell.untried.isEmpty ? .clean : .untried
    }

    private static func legend(_ style: TerminalStyle, width: Int) -> [String] {
        style.wrapped(
            "✓ no violation, ! warnings, ✗ errors, ✗✗ critical: goods lost, doubled, wrong or unpaid; crash: the client "
                + "crashed; – nothing tried: no request of a user reached the store; · not run.",
            width: width, .quiet)
    }

    private static func heading(_ nameWidth: Int) -> String {
        "  " + TextLayout.padded("", to: nameWidth) + columns(["critical", "error", "warn", "lost/10k", "p95"])
    }

    private static func columns(_ texts: [String]) -> String {
        zip(texts, [8, 8, 8, 9, 8]).map { TextLayout.paddedLeft($0, to: $1) }.joined()
    }

    private static func figures(_ row: MatrixReport.Row, _ place: Int, _ nameWidth: Int) -> String {
        let name = "  " + TextLayout.padded(TextLayout.safe(String(row.scenario.prefix(nameWidth - 1))), to: nameWidth)
        guard place < row.cells.count, let cell = row.cells[place] else { return name + "not run" }
        return name
            + columns([
                HumanNumbers.count(cell.critical), HumanNumbers.count(cell.error), HumanNumbers.count(cell.warning),
                lost(cell), p95(cell),
            ])
    }

    private static func lost(_ cell: MatrixReport.Cell) -> String {
        cell.lostPerTenThousand.map(HumanNumbers.number) ?? "-"
    }

    private static func p95(_ cell: MatrixReport.Cell) -> String {
        cell.purchaseP95Ns.map { HumanNumbers.duration(nanoseconds: $0) } ?? "-"
    }

    // MARK: Markdown

    /// A row a scenario, a column a client: violations by severity, purchases lost of 10,000, p95 of a purchase.
    package static func markdown(_ report: MatrixReport) -> String {
        var lines = ["| scenario | " + report.clients.joined(separator: " | ") + " |"]
        lines.append("| --- |" + report.clients.map { _ in " --- |" }.joined())
        for row in report.rows {
            lines.append("| \(escaped(row.scenario)) | " + row.cells.map(cell).joined(separator: " | ") + " |")
        }
        lines += [
            "",
            "Found: critical / error / warning. Lost: per 10,000 charges whose goods the app had to deliver. "
                + "p95: the duration of a purchase, from the added payment to its final callback.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cell(_ cell: MatrixReport.Cell?) -> String {
        guard let cell else { return "not run" }
        let figures = [cell.critical, cell.error, cell.warning].map(HumanNumbers.count).joined(separator: " / ")
        let times = "p95 \(p95(cell))"
        switch verdict(cell) {
        case .clean: return "✓ \(times)"
        case .untried: return "–"
        case .fault: return "harness fault"
        case .crash: return "crash; \(figures); lost \(lost(cell)); \(times)"
        default: return "\(figures); lost \(lost(cell)); \(times)"
        }
    }

    /// A pipe would end the cell.
    private static func escaped(_ text: String) -> String {
        TextLayout.safe(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
