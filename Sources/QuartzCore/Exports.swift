// Modules that `import QuartzCore` also imports.
@_exported public import Foundation
@_exported public import MediaTypes
@_exported public import VectorGraphics
