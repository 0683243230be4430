import CaptureHAL
import MediaTypes

/// One frame or audio chunk that a session delivers to its outputs.
enum CapturedMedia: Sendable {
    case video(CapturedFrame)
    case audio(AudioChunk)
}
