// Combine, which is OpenCombine here. Only with the trait of that name: without it there is nothing to build.

#if Combine
    @_exported public import OpenCombine
    @_exported public import OpenCombineDispatch
    @_exported public import OpenCombineFoundation
#else
    /// Yams looks for this name if it finds a module `Combine`, as it may where it is built anew. Any type is one.
    public typealias TopLevelDecoder = SendableMetatype
#endif
