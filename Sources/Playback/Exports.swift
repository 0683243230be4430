// Modules that `import Playback` also imports.
@_exported public import MediaEditing
@_exported public import QuartzCore
