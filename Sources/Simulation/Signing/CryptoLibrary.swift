// OpenSSL's libcrypto, found when the program runs: no package to build, and none to install where nothing is signed.
// Any thread; loaded once, by the first caller.

internal import CRuntime
internal import Foundation

/// The library, of which each user takes the functions that it needs.
struct CryptoLibrary: @unchecked Sendable {  // Guard: a constant, and the library's own.
    private let handle: UnsafeMutableRawPointer

    static let names = ["libcrypto.so.3", "libcrypto.so.1.1"]

    /// The machine's own. Without one standard error says what fails, once.
    static let system: CryptoLibrary? = {
        // Client code may be the first to need it, and it is not client code that opens the file.
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        if let library = CryptoLibrary(names: names) { return library }
        let message = """
            there is no \(names.joined(separator: " or ")): promotional offers cannot be checked and fail, \
            and signatures of StoreKit 2 are zeros

            """
        FileHandle.standardError.write(Data(message.utf8))
        return nil
    }()

    /// The first of the libraries that is there and is one of OpenSSL's.
    init?(names: [String]) {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL), dlsym(handle, "EVP_sha256") != nil else { continue }
            self.handle = handle
            return
        }
        return nil
    }

    /// A function by its name. Its type is as in the library's headers, which are the same in both versions.
    func function<Function>(_ name: String) throws(MissingFunction) -> Function {
        guard let function = dlsym(handle, name) else { throw MissingFunction() }
        return unsafeBitCast(function, to: Function.self)
    }

    /// It is another library than its name says.
    struct MissingFunction: Error {}
}
