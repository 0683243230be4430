// Modules that `import AVFAudio` also imports.
@_exported public import AssetTypes
@_exported public import Foundation
@_exported public import MediaTypes
