// StoreKit exports Foundation with its networking, Observation and Combine's objects, as it does on Apple's systems: most files of
// apps import nothing else.

@_exported public import CombineBasics
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import Observation
