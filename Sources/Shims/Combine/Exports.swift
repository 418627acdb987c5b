// Combine, which is OpenCombine here. Only with the trait of that name; without it there is nothing to build.

#if Combine
    @_exported public import OpenCombine
    @_exported public import OpenCombineDispatch
    @_exported public import OpenCombineFoundation
#else
    /// A name that Yams uses if it finds a module `Combine`.
    /// In a fresh build Yams may find one. Any type conforms.
    public typealias TopLevelDecoder = SendableMetatype
#endif
