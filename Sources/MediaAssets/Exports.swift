// Modules that `import MediaAssets` also imports: `AVFAudio` has audio settings, sessions, formats and buffers.
@_exported public import AVFAudio
