// Modules that `import VectorGraphics` also imports.
@_exported public import Foundation
@_exported public import MediaTypes
