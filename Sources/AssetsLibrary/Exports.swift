// `import AssetsLibrary` on Linux imports the assets library and, like `import Photos`, AVFoundation with locations and
// images.
// `CaptureBackends` is imported only to link it: it creates the default system of the process; see `CCaptureHAL.h`.
@_exported public import AVFoundation
import CaptureBackends
