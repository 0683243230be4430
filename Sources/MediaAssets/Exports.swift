// Audio settings, sessions, formats and buffers, which `import AVFoundation` also imports.
@_exported public import AVFAudio
