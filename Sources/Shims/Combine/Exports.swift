// Combine: `ObservableObject` and `@Published`, and OpenCombine with the trait of that name.

@_exported public import CombineBasics

#if Combine
    @_exported public import OpenCombineDispatch
    @_exported public import OpenCombineFoundation
#else
    /// A name that Yams uses if it finds a module `Combine`.
    /// In a fresh build Yams may find one. Any type conforms.
    public typealias TopLevelDecoder = SendableMetatype
#endif
