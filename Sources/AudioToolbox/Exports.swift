// Modules that `import AudioToolbox` also imports.
@_exported public import CoreAudio
@_exported public import Foundation
