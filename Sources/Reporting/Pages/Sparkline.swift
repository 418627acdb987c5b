// A small line of a figure's history, the newest run last.
// Pure; any thread.

import ReportModel
import Text

struct Sparkline {
    let svg: String

    private static let (width, height) = (96.0, 22.0)
    private static let margin = 3.0

    /// Two points are no line.
    private static let valuesMin = 3

    /// Nil where there are too few.
    ///
    /// - Parameter title: what it is of, for screen readers.
    init?(_ values: [Double?], unit: ReportUnit, of title: String) {
        let known = values.enumerated().compactMap { place, value in value.map { (place: place, value: $0) } }
        // Where all are the same it says nothing that 'as before' does not.
        guard known.count >= Self.valuesMin, Set(known.map(\.value)).count > 1, let low = known.map(\.value).min(),
            let high = known.map(\.value).max(),
            let last = known.last, low.isFinite, high.isFinite
        else { return nil }
        func point(_ item: (place: Int, value: Double)) -> String {
            let x = Self.margin + (Self.width - 2 * Self.margin) * Double(item.place) / Double(values.count - 1)
            let share = high > low ? (item.value - low) / (high - low) : 0.5
            let y = Self.margin + (Self.height - 2 * Self.margin) * (1 - share)
            return "\(HumanNumbers.fixed(x, decimals: 1)) \(HumanNumbers.fixed(y, decimals: 1))"
        }
        let words = [low, high, last.value].map { HumanNumbers.value($0, unit: unit) }
        let label =
            "\(title) in \(known.count) runs: from \(words[0]) to \(words[1]), the newest \(words[2])"
        let path = "M" + known.map(point).joined(separator: "L")
        svg =
            "<svg class=\"spark\" viewBox=\"0 0 96 22\" width=\"96\" height=\"22\" role=\"img\" "
            + "aria-label=\"\(HTMLText.escaped(label))\"><path class=\"line c1\" d=\"\(path)\"/>"
            + "<path class=\"dots c1\" d=\"M\(point(last))h.1\"/></svg>"
    }
}
