// The functions that `StoreSigner` needs of libcrypto.
// Constants; any thread.

extension StoreSigner {
    /// Under names that say what they do with the numbers. The first argument of those that compute takes the result.
    struct Functions: @unchecked Sendable {  // Guard: constants.
        typealias Object = OpaquePointer
        typealias Digested = UnsafeMutablePointer<UInt8>?
        typealias Digest = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Digested

        let makeCurve: @convention(c) (Int32) -> Object?
        let orderOfCurve: @convention(c) (Object?) -> Object?
        let makePoint: @convention(c) (Object?) -> Object?
        let freePoint: @convention(c) (Object?) -> Void
        let multiplyPoint: @convention(c) (Object?, Object?, Object?, Object?, Object?, Object?) -> Int32
        let coordinates: @convention(c) (Object?, Object?, Object?, Object?, Object?) -> Int32
        let makeScratch: @convention(c) () -> Object?
        let freeScratch: @convention(c) (Object?) -> Void
        let makeNumber: @convention(c) () -> Object?
        let freeNumber: @convention(c) (Object?) -> Void
        let readNumber: @convention(c) (UnsafePointer<UInt8>?, Int32, Object?) -> Object?
        let writeNumber: @convention(c) (Object?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32
        let divide: @convention(c) (Object?, Object?, Object?, Object?, Object?) -> Int32
        let multiply: @convention(c) (Object?, Object?, Object?, Object?, Object?) -> Int32
        let add: @convention(c) (Object?, Object?, Object?, Object?, Object?) -> Int32
        let invert: @convention(c) (Object?, Object?, Object?, Object?) -> Object?
        let compare: @convention(c) (Object?, Object?) -> Int32
        let isZero: @convention(c) (Object?) -> Int32
        let sha256Kind: @convention(c) () -> Object?
        let sha1: Digest
        let sha256: Digest
        let sha384: Digest
        let hmac:
            @convention(c) (
                Object?, UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?,
                UnsafeMutablePointer<UInt32>?
            ) -> Digested

        init(_ library: CryptoLibrary) throws(CryptoLibrary.MissingFunction) {
            makeCurve = try library.function("EC_GROUP_new_by_curve_name")
            orderOfCurve = try library.function("EC_GROUP_get0_order")
            makePoint = try library.function("EC_POINT_new")
            freePoint = try library.function("EC_POINT_free")
            multiplyPoint = try library.function("EC_POINT_mul")
            coordinates = try library.function("EC_POINT_get_affine_coordinates")
            makeScratch = try library.function("BN_CTX_new")
            freeScratch = try library.function("BN_CTX_free")
            makeNumber = try library.function("BN_new")
            freeNumber = try library.function("BN_free")
            readNumber = try library.function("BN_bin2bn")
            writeNumber = try library.function("BN_bn2binpad")
            divide = try library.function("BN_div")
            multiply = try library.function("BN_mod_mul")
            add = try library.function("BN_mod_add")
            invert = try library.function("BN_mod_inverse")
            compare = try library.function("BN_cmp")
            isZero = try library.function("BN_is_zero")
            sha256Kind = try library.function("EVP_sha256")
            sha1 = try library.function("SHA1")
            sha256 = try library.function("SHA256")
            sha384 = try library.function("SHA384")
            hmac = try library.function("HMAC")
        }
    }
}
