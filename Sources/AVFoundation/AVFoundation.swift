// `import AVFoundation` on Linux imports the capture API, assets, readers and writers, players, media types, layers,
// images, image files, system sounds, locations, type identifiers, key-value observation and Foundation.
// The import of `CaptureBackends` links the module, which provides the default devices of the process; see
// `CCaptureHAL.h`.
@_exported public import AssetTypes
@_exported public import AudioToolbox
import CaptureBackends
@_exported public import CaptureCore
@_exported public import CapturePreview
@_exported public import CoreImage
@_exported public import CoreLocation
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Foundation
@_exported public import FoundationAdditions
@_exported public import ImageIO
@_exported public import KeyValueObserving
@_exported public import MediaAssets
@_exported public import QuartzCore
@_exported public import UniformTypeIdentifiers

#if Everything || PlaybackAndEditing
@_exported public import MediaEditing
@_exported public import Playback
#endif
