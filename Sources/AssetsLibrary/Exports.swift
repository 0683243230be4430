// `import AssetsLibrary` also imports AVFoundation, with locations and images, like `import Photos`.
// `CaptureBackends` is imported only to link it: it creates the default system of the process; see `CCaptureHAL.h`.
@_exported public import AVFoundation
import CaptureBackends
