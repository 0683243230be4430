@_exported public import AppTypes
// What `import AVFoundation` brings on Linux: the capture API, its media types, layers and Foundation, and what UIKit
// would bring to an app.
// `Backends` is imported to be linked: it gives the process its devices, see `CCaptureHAL.h`.
import Backends
@_exported public import Capture
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Foundation
@_exported public import QuartzCore
