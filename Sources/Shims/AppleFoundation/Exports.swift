// What `import Foundation` brings on Apple's systems and does not on Linux, for a whole module: one file that says
// `@_exported import AppleFoundation` lets all of its files see it.

@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import Security
