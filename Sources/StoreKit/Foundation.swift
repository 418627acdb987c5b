// StoreKit exports Foundation, Observation and Combine's objects, as it does on Apple's systems: most files of apps import nothing
// else. Not Foundation's networking: its libraries take memory and time in every process that they are loaded into.

@_exported public import CombineBasics
@_exported public import Foundation
@_exported public import Observation
