// Modules that `import CoreMotion` also imports.
@_exported public import Foundation
