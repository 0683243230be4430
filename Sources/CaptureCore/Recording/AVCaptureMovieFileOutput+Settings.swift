import CaptureHAL
import Foundation
public import MediaAssets
import MediaTypes

extension AVCaptureMovieFileOutput {
    /// The codecs on offer; the first is the default.
    public var availableVideoCodecTypes: [AVVideoCodecType] { [.h264, .hevc, .jpeg] }

    /// The keys that a connection's settings may have.
    public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] {
        guard isOwn(connection, "supportedOutputSettingsKeysForConnection:") else { return [] }
        return connection.mediaType == .audio ? MovieAudioSettings.keys : MovieVideoSettings.keys
    }

    /// The settings with which a connection's media are written, those that the preset chooses filled in.
    public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        guard isOwn(connection, "outputSettingsForConnection:") else { return [:] }
        let (video, audio) = connection.state.withLock { ($0.movieSettings, $0.movieAudioSettings) }
        let input = connection.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput
        guard connection.mediaType == .audio else {
            let dimensions = input?.format(for: .video)?.video?.dimensions
            return (video ?? MovieVideoSettings()).dictionary(for: dimensions)
        }
        let format: AudioStreamFormat? =
            if case .audio(let format)? = input?.format(for: .audio)?.stream { format } else { nil }
        return (audio ?? MovieAudioSettings()).dictionary(for: format)
    }

    /// Sets how a connection's media are compressed, from the next recording on.
    ///
    /// Pictures take `AVVideoCodecKey` and, never without it, `AVVideoCompressionPropertiesKey`; sound takes `AVFormatIDKey`,
    /// `AVSampleRateKey`, `AVNumberOfChannelsKey` and `AVEncoderBitRateKey`; nil lets the preset choose.
    /// - Note: Unlike Apple, an empty dictionary lets the preset choose, too, instead of leaving the media as they are.
    public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
        guard isOwn(connection, "setOutputSettings:forConnection:") else { return }
        do throws(MovieVideoSettings.Refusal) {
            if connection.mediaType == .audio {
                let settings = try outputSettings.map { (dictionary) throws(MovieVideoSettings.Refusal) in
                    try MovieAudioSettings(dictionary)
                }
                connection.state.withLock { $0.movieAudioSettings = settings }
            } else {
                let settings = try outputSettings.map { (dictionary) throws(MovieVideoSettings.Refusal) in
                    try MovieVideoSettings(dictionary, available: availableVideoCodecTypes)
                }
                connection.state.withLock { $0.movieSettings = settings }
            }
        } catch {
            report("setOutputSettings:forConnection:", error.reason)
        }
    }

    /// Whether changes of a video connection's orientation and mirroring are recorded; false by default.
    public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(
        for connection: AVCaptureConnection
    ) -> Bool {
        guard
            isOwnVideo(connection, "recordsVideoOrientationAndMirroringChangesAsMetadataTrackForConnection:")
        else { return false }
        return connection.state.withLock { $0.recordsOrientationChanges }
    }

    /// Sets whether the next recording has a track of timed metadata with the orientation of the pictures, as EXIF
    /// counts it: a sample at the begin, which tells what the track's matrix says, and one with each change.
    public func setRecordsVideoOrientationAndMirroringChanges(
        _ doRecordChanges: Bool, asMetadataTrackFor connection: AVCaptureConnection
    ) {
        guard
            isOwnVideo(connection, "setRecordsVideoOrientationAndMirroringChanges:asMetadataTrackForConnection:")
        else { return }
        connection.state.withLock { $0.recordsOrientationChanges = doRecordChanges }
    }

    /// Whether spatial video can be recorded: no camera here takes any.
    public var isSpatialVideoCaptureSupported: Bool { false }

    /// Whether spatial video is recorded; setting it to true is misuse, since that is not supported.
    public var isSpatialVideoCaptureEnabled: Bool {
        get { false }
        set { if newValue { report("setSpatialVideoCaptureEnabled:", "spatial video is not supported") } }
    }

    private func isOwnVideo(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        guard isOwn(connection, method) else { return false }
        if connection.mediaType == .video { return true }
        report(method, "the connection carries no video")
        return false
    }

    private func isOwn(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        if connection.output === self { return true }
        report(method, "the connection belongs to another output")
        return false
    }

    private func report(_ method: String, _ reason: String) {
        system.misuse.report(.invalidArgument, "-[AVCaptureMovieFileOutput \(method)] \(reason)")
    }
}
