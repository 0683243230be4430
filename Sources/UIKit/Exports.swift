// Modules that `import UIKit` also imports.
@_exported public import Foundation
@_exported public import FoundationAdditions
@_exported public import ImageTypes
@_exported public import QuartzCore
