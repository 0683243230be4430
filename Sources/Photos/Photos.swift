// What `import Photos` brings on Linux: the photo library, and what Apple's module brings: AVFoundation with locations and
// images.
// `CaptureBackends` is imported to be linked: the library belongs to the system that it creates, see `CCaptureHAL.h`.
@_exported public import AVFoundation
import CaptureBackends
@_exported public import PhotoStore
