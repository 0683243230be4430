// Modules that `import CoreLocation` also imports.
@_exported public import Foundation
@_exported public import MediaTypes
