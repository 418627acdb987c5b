// The word by which a slot tells who is called, and what for.
// Values; any thread.

extension LostCall {
    package var process: AppProcess { app.process }

    /// What a slot says: the process, which a call keeps alive, and in the bits that no address uses the kind.
    private static let kindShift = 56

    static func word(_ process: AppProcess, _ call: ClientCall) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(process).toOpaque()) | UInt(call.rawValue) << kindShift
    }

    /// - Parameter word: of a slot whose thread can do nothing any more.
    package init?(word: UInt) {
        guard let call = ClientCall(rawValue: UInt8(word >> Self.kindShift)),
            let address = UnsafeRawPointer(bitPattern: word & (1 << Self.kindShift - 1))
        else { return nil }
        self.init(app: Unmanaged<AppProcess>.fromOpaque(address).takeUnretainedValue(), call: call)
    }
}
