// `import CoreAudio` on Linux imports the audio types.
@_exported public import MediaTypes
