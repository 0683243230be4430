// `import Photos` on Linux imports the photo library and, like Apple's module, AVFoundation with locations and images.
// Without the package trait `PhotoLibrary` it imports only these.
// `CaptureBackends` is imported only to link it: it creates the default system of the process; see `CCaptureHAL.h`.
@_exported public import AVFoundation
import CaptureBackends

#if Everything || PhotoLibrary
@_exported public import PhotoPlayback
@_exported public import PhotoStore
#endif
