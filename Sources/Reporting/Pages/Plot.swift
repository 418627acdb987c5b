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

    /// The ground under steps of equal width, from 0 to 1.
    mutating func steps(_ values: [Double], width: Double, class name: String) {
        guard !values.isEmpty else { return }
        var path = "M0 \(Self.down(0))"
        var last = 0.0
        for (place, value) in values.enumerated() {
            if value != last { path += "V\(Self.down(value))" }
            last = value
            path += "H\(Self.unit(min(1, Double(place + 1) * width)))"
        }
        shapes.append("<path class=\"area \(name)\" d=\"\(path)V\(Self.down(0))z\"/>")
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
        let yLabels = y.map { "<span style=\"bottom:\(percent($0.place))\">\(HTMLText.escaped($0.label))</span>" }
        let xLabels = x.map { "<span style=\"left:\(percent($0.place))\">\(HTMLText.escaped($0.label))</span>" }
        return """
            <div class="plot \(height)" role="img" aria-label="\(HTMLText.escaped(description))">
            <div class="y" aria-hidden="true">\(yLabels.joined())</div>
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
            \((ground + shapes).joined(separator: "\n"))
            </svg>
            <div class="x" aria-hidden="true">\(xLabels.joined())</div>
            </div>
            """
    }

    private func percent(_ place: Double) -> String { HumanNumbers.fixed(place * 100, decimals: 2) + "%" }
}

/// A plot with its title, and what belongs below it.
enum PlotFigure {
    static func html(title: String, note: String, plot: Plot, legend: [(class: String, label: String)] = []) -> String {
        var lines = ["<figure>", "<figcaption><h3>\(HTMLText.escaped(title))</h3>"]
        if !note.isEmpty { lines.append("<p class=\"quiet\">\(HTMLText.escaped(note))</p>") }
        lines.append("</figcaption>")
        if !legend.isEmpty {
            let items = legend.map {
                "<li><svg viewBox=\"0 0 28 10\" width=\"28\" height=\"10\" aria-hidden=\"true\">"
                    + "<path class=\"line \($0.class)\" d=\"M1 5H27\"/></svg>\(HTMLText.escaped($0.label))</li>"
            }
            lines.append("<ul class=\"legend\">\(items.joined())</ul>")
        }
        lines += [plot.html(), "</figure>"]
        return lines.joined(separator: "\n")
    }
}
