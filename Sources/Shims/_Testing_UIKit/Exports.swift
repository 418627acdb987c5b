// A file that imports both Testing and UIKit is given this module by Swift too, which brings it a way to attach pictures on
// Apple's systems. There are none here; without a module of this name such a file would not build.

@_exported public import UIKit
