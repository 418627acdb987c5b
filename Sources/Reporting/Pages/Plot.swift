// The frame of every plot: a picture that takes any width, and labels that keep their size.
// Pure; any thread.

import Foundation
import Text

/// The logarithm, kept to the digits that every machine agrees on.
enum Logarithm {
    static func of(_ value: Double) -> Double { (log2(value) * 1e9).rounded() / 1e9 }
}

/// One plot. Shapes are drawn on a ground a thousand units wide and high, which the page stretches; lines keep their
/// width, and the labels are text beside it.
struct Plot {
    /// What it shows, for screen readers.
    let description: String
    let x: [PlotTick]
    let y: [PlotTick]
    /// What each axis is, with its unit.
    let xTitle: String
    let yTitle: String
    /// The table that has its values, for who reads numbers and for the page's script.
    var data: PlotData?
    /// Lines across it at heights from 0 to 1: limits.
    var limits: [PlotTick] = []
    /// Spans of the x axis that are shaded behind everything, from 0 to 1.
    var shaded: [(from: Double, to: Double)] = []
    /// `low` for small multiples.
    var height = "high"
    private(set) var shapes: [String] = []

    static let side = 1_000.0
    /// Points that a line has at most; more would not be seen.
    static let pointsMax = 600

    /// A coordinate in the ground's units.
    static func unit(_ place: Double) -> String {
        let tenths = Int((place * side * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
    }

    static func down(_ place: Double) -> String { unit(1 - place) }

    // MARK: Shapes

    /// A line through points from 0 to 1; nil breaks it. A point that stands alone is a dot.
    mutating func line(_ points: [(x: Double, y: Double)?], class name: String) {
        var path = ""
        var isDrawing = false
        for place in points.indices {
            guard let point = points[place] else {
                isDrawing = false
                continue
            }
            let text = "\(Self.unit(point.x)) \(Self.down(point.y))"
            path += isDrawing ? "L\(text)" : "M\(text)"
            let isAlone = !isDrawing && (place + 1 == points.count || points[place + 1] == nil)
            if isAlone { path += "h.1" }
            isDrawing = true
        }
        if !path.isEmpty { shapes.append("<path class=\"line \(name)\" d=\"\(path)\"/>") }
    }

    /// The ground under steps, each with the place where it ends, from 0 to 1.
    mutating func steps(_ steps: [(end: Double, value: Double)], class name: String) {
        guard !steps.isEmpty else { return }
        var path = "M0 \(Self.down(0))"
        var last = 0.0
        for (end, value) in steps {
            if value != last { path += "V\(Self.down(value))" }
            last = value
            path += "H\(Self.unit(end))"
        }
        shapes.append("<path class=\"area \(name)\" d=\"\(path)V\(Self.down(0))z\"/>")
    }

    /// A single point that says what it is to whoever points at it.
    mutating func dot(_ x: Double, _ y: Double, class name: String, title: String) {
        shapes.append(
            "<path class=\"\(name)\" d=\"M\(Self.unit(x)) \(Self.down(y))h.1\"><title>\(HTMLText.escaped(title))</title></path>"
        )
    }

    mutating func path(_ data: String, class name: String) {
        if !data.isEmpty { shapes.append("<path class=\"\(name)\" d=\"\(data)\"/>") }
    }

    // MARK: Text

    /// The markup, to stand in a figure.
    func html() -> String {
        var ground = shaded.map { span in
            "<rect class=\"fault\" x=\"\(Self.unit(span.from))\" y=\"0\" "
                + "width=\"\(Self.unit(max(0.002, span.to - span.from)))\" height=\"1000\"/>"
        }
        ground += y.map { "<path class=\"grid\" d=\"M0 \(Self.down($0.place))H1000\"/>" }
        ground += x.map { "<path class=\"grid\" d=\"M\(Self.unit($0.place)) 0V1000\"/>" }
        let lines = limits.map { "<path class=\"limit\" d=\"M0 \(Self.down($0.place))H1000\"/>" }
        let limitLabels = limits.enumerated().map { number, limit in
            // Beneath its line where there is no room above; beside the one before it, which may be as high.
            "<span class=\"limit-label\(limit.place > 0.85 ? " below" : "")\" "
                + "style=\"bottom:\(percent(limit.place));right:\(number % 3 * 33)%\">\(HTMLText.escaped(limit.label))</span>"
        }
        let yLabels = y.map { "<span style=\"bottom:\(percent($0.place))\">\(HTMLText.escaped($0.label))</span>" }
        let xLabels = x.map {
            "<span\(Self.stand($0)) style=\"left:\(percent($0.place))\">\(HTMLText.escaped($0.label))</span>"
        }
        return """
            <div class="axis" aria-hidden="true">\(HTMLText.escaped(yTitle))</div>
            <div class="plot \(height)" role="img" aria-label="\(HTMLText.escaped(description))"\(data?.attributes ?? "")>
            <div class="y" aria-hidden="true">\(yLabels.joined())</div>
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
            \((ground + shapes + lines).joined(separator: "\n"))
            </svg>
            <div class="limits" aria-hidden="true">\(limitLabels.joined())</div>
            <div class="x" aria-hidden="true">\(xLabels.joined())</div>
            </div>
            <div class="axis x-axis" aria-hidden="true">\(HTMLText.escaped(xTitle))</div>
            """
    }

    /// A long label stays within the plot, and gives way where the page is narrow.
    private static func stand(_ tick: PlotTick) -> String {
        if tick.label.count <= longMin { return "" }
        return tick.place < 0.02 ? " class=\"start\"" : tick.place > 0.98 ? " class=\"end\"" : " class=\"long\""
    }

    private static let longMin = 10

    private func percent(_ place: Double) -> String { HumanNumbers.fixed(place * 100, decimals: 2) + "%" }
}

/// Where the values of a plot stand as text: a table of the page, its rows from left to right.
struct PlotData {
    /// The table's `id`.
    let table: String
    /// Its columns that are drawn, from 1, in the order of the legend.
    let columns: [Int]
    /// Where the middle of each row lies, from 0 to 1; nil: rows are equally wide.
    var places: [Double]?

    /// For the page's script.
    fileprivate var attributes: String {
        let columns = "[\(columns.map(String.init).joined(separator: ","))]"
        let places = places.map { places in
            " data-places=\"[\(places.map { HumanNumbers.fixed($0, decimals: 4) }.joined(separator: ","))]\""
        }
        return " data-table=\"\(table)\" data-columns=\"\(columns)\"\(places ?? "")"
    }
}

/// A plot with its title, and what belongs below it.
enum PlotFigure {
    /// - Parameter numbers: the table with its values, where it has one of its own.
    static func html(
        title: String, note: String, plot: Plot, legend: [(class: String, label: String)] = [], numbers: String = ""
    ) -> String {
        var lines = ["<figure>", "<figcaption><h3>\(HTMLText.escaped(title))</h3>"]
        if !note.isEmpty { lines.append("<p class=\"quiet\">\(HTMLText.escaped(note))</p>") }
        lines.append("</figcaption>")
        if !legend.isEmpty {
            let items = legend.map {
                "<li data-class=\"\($0.class)\"><svg viewBox=\"0 0 28 10\" width=\"28\" height=\"10\" aria-hidden=\"true\">"
                    + "<path class=\"line \($0.class)\" d=\"M1 5H27\"/></svg>\(HTMLText.escaped($0.label))</li>"
            }
            lines.append("<ul class=\"legend\">\(items.joined())</ul>")
        }
        lines += [plot.html(), numbers, "</figure>"]
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
