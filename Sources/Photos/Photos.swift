// `import Photos` on Linux imports the photo library and, like Apple's module, AVFoundation with locations and images.
// `CaptureBackends` is imported only to link it: it creates the default system of the process; see `CCaptureHAL.h`.
@_exported public import AVFoundation
import CaptureBackends
@_exported public import PhotoPlayback
@_exported public import PhotoStore
