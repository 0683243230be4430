// Modules that `import Playback` also imports.
@_exported public import MediaAssets
@_exported public import QuartzCore
