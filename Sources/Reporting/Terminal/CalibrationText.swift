// What a machine can host, as a table for the terminal.
// Pure; any thread.

package import ReportModel
import Text

extension CalibrationReport {
    /// For the terminal.
    package func text(style: TerminalStyle, width: Int = 80) -> String {
        let runs = repeats == 1 ? "one run each" : "medians of \(repeats) interleaved runs"
        let cores = cores == 1 ? "1 core" : "\(cores) cores"
        var lines = [style.paint("THIS MACHINE", .heading) + "  \(cores), \(runs)"]
        for figure in figures {
            let value = TextLayout.paddedLeft(HumanNumbers.value(figure.value, unit: figure.unit), to: 12)
            lines.append("  " + TextLayout.padded(figure.meaning, to: 46) + value)
        }
        for note in notes { lines += style.wrapped(note, width: width) }
        return lines.joined(separator: "\n") + "\n"
    }
}
