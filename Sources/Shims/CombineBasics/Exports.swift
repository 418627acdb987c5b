// What `import StoreKit` and `import Foundation` bring of Combine on Apple's systems. With the trait Combine it is OpenCombine's.

#if Combine
    @_exported public import OpenCombine
#endif
