import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// The movie of a Live Photo that a client has requested.
struct LivePhotoCapture: Sendable {
    /// The result of a movie.
    enum Result: Sendable {
        /// - Parameter displayTime: The time of the photo in the movie.
        case movie(duration: CMTime, displayTime: CMTime)
        case failure(AVError)
    }

    /// The `number` of the settings of the capture.
    let number: Int64
    let url: URL
    let codec: VideoSampleFormat.Codec
    /// The identifier that the photo and the movie have in common.
    let contentIdentifier: String
    /// The client's metadata.
    let items: [AVMetadataItem]
    /// The camera, for the metadata; nil if it was released.
    let device: AVCaptureDevice?
    /// Called once when no more media are added.
    let didEndRecording: @Sendable () -> Void
    /// Called once, after `didEndRecording`.
    let didFinish: @Sendable (Result) -> Void
    /// The time of the photo; nil until its exposure.
    var stillTime: CMTime?
    /// The orientation of the movie, which is that of the photo.
    var orientation = MovieOrientation()
    /// Ends the movie if media are missing; nil before the exposure of the photo.
    var deadline: ClockTimer?

    /// The duration of a movie before and after the photo.
    static let halfDuration = CMTime(value: 3, timescale: 2)

    /// The end of the movie if nothing ends it earlier; nil before the exposure of the photo.
    var end: CMTime? { stillTime.map { $0 + Self.halfDuration } }
}
