// StoreKit exports Foundation and Observation, as it does on Apple's systems: most files of apps import nothing else.

@_exported public import Foundation
@_exported public import Observation
