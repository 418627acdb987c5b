// StoreKit exports Foundation, as it does on Apple's systems: most files of apps import nothing else.

@_exported public import Foundation
