// Modules that `import ImageIO` also imports.
@_exported public import Foundation
@_exported public import MediaTypes
