// What `import SwiftUI` brings to a file without views.

@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation
@_exported public import UIKit
