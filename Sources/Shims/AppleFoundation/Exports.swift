// Names that `import Foundation` brings on Apple's systems but not on Linux. One file with
// `@_exported import AppleFoundation` makes them visible in all files of its module.

@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import Security
