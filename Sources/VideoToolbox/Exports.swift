// Modules that `import VideoToolbox` also imports.
@_exported public import Foundation
@_exported public import MediaTypes
