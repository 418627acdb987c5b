// Which letters a scenario file may hold.
// Pure; any thread.

import Text

extension SourceText {
    /// Letters that `YAMLComposer` needs for itself: the first 512 of the private use area.
    static let reserved: ClosedRange<UInt32> = 0xE000...0xE1FF

    /// - Parameter file: what problems call it.
    init(scenario bytes: [UInt8], file: String) throws(Problem) {
        try self.init(bytes: bytes, file: file, as: ScenarioFile.kind, refusing: Self.complaint)
    }

    private static func complaint(about scalar: Unicode.Scalar) -> String? {
        let number = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x85: return nil
        case 0..<0x20, 0x7F..<0xA0: return "the control character \(code) is not allowed"
        case reserved: return "the private use character \(code) is not allowed"
        case 0xFEFF, 0xFFFE, 0xFFFF: return "the character \(code) is not allowed"
        default: return nil
        }
    }
}
