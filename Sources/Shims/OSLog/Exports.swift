// The module that apps import for `Logger` and `OSLog`.

@_exported public import os
