// What `import Photos` brings on Linux: the photo library and Foundation.
// `Backends` is imported to be linked: the library lives in the system that it makes, see `CCaptureHAL.h`.
import Backends
@_exported public import Foundation
@_exported public import PhotoStore
