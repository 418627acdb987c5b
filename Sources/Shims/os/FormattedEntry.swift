// Entries in C's format: `os_log("%{public}@ costs %.2f", log: shop, type: .info, name, price)`.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

// Values are `Any` where C has `CVarArg`, which Foundation's classes are not on Linux.

/// Writes an entry: a format, and the values for its places.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any...
) {
    log.write(type, FormattedEntry(format: message.description, values: args).text)
}

/// Writes an entry, with the level first.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ args: Any...
) {
    log.write(type, FormattedEntry(format: message.description, values: args).text)
}

/// Writes an entry whose values are interpolated in its text.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// A format with its values. A value that does not fit its place is described instead: C would read invalid memory.
struct FormattedEntry {
    let format: String
    let values: [Any]

    var text: String {
        var text = ""
        var left = values[...]
        var rest = format[...]
        while let start = rest.firstIndex(of: "%") {
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let place = Place(takingFrom: &rest)
            if place.isError {
                text += String(cString: strerror(errno))
            } else if let value = left.popFirst() {
                text += place.isPrivate ? "<private>" : place.shown(value)
            } else {
                text += "<missing>"
            }
        }
        return text + rest
    }

    /// A place for a value in a format, such as `%{public}5.2f`.
    private struct Place {
        private var options = ""
        private var flags = ""
        private var conversion: Character = "@"

        /// - Parameter rest: the text after the percent sign; the part that belongs to the place is removed from it.
        init(takingFrom rest: inout Substring) {
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                options = String(rest[..<end].dropFirst())
                rest = rest[end...].dropFirst()
            }
            flags = String(rest.prefix { "0123456789.+- #".contains($0) })
            rest = rest.dropFirst(flags.count)
            // The value itself has a length, so the format's length marks are skipped.
            rest = rest.drop { "hlqjzt".contains($0) }
            conversion = rest.popFirst() ?? "@"
        }

        private func has(_ option: String) -> Bool {
            options.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == option }
        }

        var isPrivate: Bool { has("private") || has("sensitive") }
        /// `%m` stands for the error of the last system call, and takes no value.
        var isError: Bool { conversion == "m" }

        func shown(_ value: Any) -> String {
            switch (conversion, value) {
            case ("d", let number as any BinaryInteger), ("i", let number as any BinaryInteger),
                ("D", let number as any BinaryInteger):
                return String(format: "%\(flags)lld", Int64(truncatingIfNeeded: number))
            case ("u", let number as any BinaryInteger), ("U", let number as any BinaryInteger),
                ("x", let number as any BinaryInteger), ("X", let number as any BinaryInteger),
                ("o", let number as any BinaryInteger):
                return String(
                    format: "%\(flags)ll\(conversion.lowercased() == "u" ? "u" : "\(conversion)")", bits(number))
            case ("c", let number as any BinaryInteger):
                return String(UnicodeScalar(UInt8(truncatingIfNeeded: number)))
            case ("s", let text as UnsafePointer<CChar>): return String(cString: text)
            case ("s", let text as UnsafeMutablePointer<CChar>): return String(cString: text)
            case ("f", let number as any BinaryFloatingPoint), ("F", let number as any BinaryFloatingPoint),
                ("e", let number as any BinaryFloatingPoint), ("E", let number as any BinaryFloatingPoint),
                ("g", let number as any BinaryFloatingPoint), ("G", let number as any BinaryFloatingPoint),
                ("a", let number as any BinaryFloatingPoint):
                return String(format: "%\(flags)\(conversion)", Double(number))
            default: return String(describing: value)
            }
        }

        /// The bits of a number; a negative number has as many as its type.
        private func bits(_ number: any BinaryInteger) -> UInt64 {
            let all = UInt64(truncatingIfNeeded: number)
            return number.bitWidth < 64 ? all & (1 << UInt64(number.bitWidth) - 1) : all
        }
    }
}
