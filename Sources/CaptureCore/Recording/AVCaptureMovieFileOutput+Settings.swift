public import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

extension AVCaptureMovieFileOutput {
    /// The supported codecs; the first is the default: HEVC or H.264, as the profile of the simulated machine says.
    ///
    /// In a color space for high dynamic range, H.264 and JPEG are not available, since they are encoded with 8 bits.
    /// ProRes is available for formats with 4:2:2 chroma and 10 bits.
    public var availableVideoCodecTypes: [AVVideoCodecType] {
        let device = connection(with: .video)?.deviceInput?.device
        let isHDR = device?.activeColorSpace == .HLG_BT2020
        let isChroma422 =
            device?.activeFormat.formatDescription.mediaSubType.rawValue
            == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        let hasDefaultHEVC = device?.movieCodec == .hevc
        let codecs: [AVVideoCodecType] = hasDefaultHEVC ? [.hevc, .h264, .jpeg] : [.h264, .hevc, .jpeg]
        return (isHDR ? [.hevc] : codecs)
            + (isChroma422 ? [.proRes422, .proRes422HQ, .proRes422LT, .proRes422Proxy] : [])
    }

    /// Returns the keys that a connection's settings may contain.
    public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] {
        guard checkConnection(connection, "supportedOutputSettingsKeysForConnection:") else { return [] }
        return connection.mediaType == .audio ? MovieAudioSettings.keys : MovieVideoSettings.keys
    }

    /// Returns a connection's output settings, with defaults for the keys that the client has not set; empty if the
    /// media are written unchanged.
    ///
    /// `setOutputSettings(_:for:)` accepts the result.
    public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        guard checkConnection(connection, "outputSettingsForConnection:") else { return [:] }
        let (video, audio) = connection.state.withLock { ($0.movieSettings, $0.movieAudioSettings) }
        let input = connection.deviceInput
        guard connection.mediaType == .audio else {
            let settings = video ?? MovieVideoSettings(codec: availableVideoCodecTypes[0])
            let format = input?.format(for: .video)?.video
            let deliversJPEG = format?.encoding == .compressed(kCMVideoCodecType_JPEG)
            return settings.isPassthrough && deliversJPEG ? [:] : settings.dictionary(for: format?.dimensions)
        }
        guard case .audio(let format)? = input?.format(for: .audio)?.stream else {
            let unknown: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC]
            return unknown.plainSettings
        }
        return (audio ?? MovieAudioSettings()).dictionary(for: format)
    }

    /// Sets the encoding of a connection's media, effective from the next recording.
    ///
    /// Video supports `AVVideoCodecKey` and, only together with it, `AVVideoCompressionPropertiesKey`. Audio supports
    /// AAC, Apple Lossless, Opus and linear PCM with the keys of `supportedOutputSettingsKeys(for:)`. An empty
    /// dictionary writes the device's samples unchanged: PCM, and the frames of a camera that delivers JPEG. Nil
    /// restores the defaults. Anything else is misuse.
    /// - Note: Unlike Apple, with an empty dictionary the uncompressed frames of a camera are encoded with the default
    ///   codec. The width and height that `outputSettings(for:)` returns are accepted, which Apple rejects on iOS.
    public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
        guard checkConnection(connection, "setOutputSettings:forConnection:") else { return }
        do throws(SettingsDictionary.SettingsError) {
            if connection.mediaType == .audio {
                let settings = try outputSettings.map { (dictionary) throws(SettingsDictionary.SettingsError) in
                    try MovieAudioSettings(dictionary)
                }
                connection.state.withLock { $0.movieAudioSettings = settings }
            } else {
                let input = connection.deviceInput
                let dimensions = input?.format(for: .video)?.video?.dimensions
                let settings = try outputSettings.map { (dictionary) throws(SettingsDictionary.SettingsError) in
                    try MovieVideoSettings(dictionary, available: availableVideoCodecTypes, dimensions: dimensions)
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
            checkVideoConnection(connection, "recordsVideoOrientationAndMirroringChangesAsMetadataTrackForConnection:")
        else { return false }
        return connection.state.withLock { $0.recordsOrientationChanges }
    }

    /// Sets whether the next recording has a timed metadata track with the EXIF orientation of the frames: a sample at
    /// the start, equal to the track's matrix, and one for each change.
    public func setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(
        _ doRecordChanges: Bool, for connection: AVCaptureConnection
    ) {
        let method = "setRecordsVideoOrientationAndMirroringChanges:asMetadataTrackForConnection:"
        guard checkVideoConnection(connection, method) else { return }
        connection.state.withLock { $0.recordsOrientationChanges = doRecordChanges }
    }

    /// Whether spatial video can be recorded; always false.
    public var isSpatialVideoCaptureSupported: Bool { false }

    /// Whether spatial video is recorded; setting it to true is misuse, since that is not supported.
    public var isSpatialVideoCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard !newValue else { return report("setSpatialVideoCaptureEnabled:", "spatial video is not supported") }
            observedProperties.changed()
        }
    }

    /// Whether movies can have metadata for cinematic video; always false.
    public var isCinematicVideoMetadataCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Whether the session decides whether movies have metadata for cinematic video; true by default.
    public var automaticallyAdjustsCinematicVideoMetadataCaptureEnabled: Bool {
        get { observedProperties.value(\.adjustsCinematicMetadata, in: options) }
        set { observedProperties.set(\.adjustsCinematicMetadata, in: options, to: newValue) }
    }

    /// Whether movies have metadata for cinematic video. Setting it is misuse while
    /// `automaticallyAdjustsCinematicVideoMetadataCaptureEnabled` is true; setting it to true always.
    public var isCinematicVideoMetadataCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            let method = "setCinematicVideoMetadataCaptureEnabled:"
            if automaticallyAdjustsCinematicVideoMetadataCaptureEnabled {
                report(
                    method,
                    "cannot be called while automaticallyAdjustsCinematicVideoMetadataCaptureEnabled is true")
            } else if newValue {
                report(method, "metadata for cinematic video is not supported")
            }
        }
    }

    /// Whether movies can be written to storage that is reserved for video; always false.
    public var isProVideoStorageSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Whether movies are written to storage that is reserved for video; setting it to true is misuse.
    public var usesProVideoStorage: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard newValue else { return }
            report("setUsesProVideoStorage:", "storage for video is not supported")
        }
    }

    /// Reports misuse if a connection belongs to another output, or is not for video.
    ///
    /// - Returns: Whether the connection is for video and belongs to this output.
    private func checkVideoConnection(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        guard checkConnection(connection, method) else { return false }
        if connection.mediaType == .video { return true }
        report(method, "the connection carries no video")
        return false
    }

    /// Reports misuse if a connection belongs to another output.
    ///
    /// - Returns: Whether the connection belongs to this output.
    private func checkConnection(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        if connection.output === self { return true }
        report(method, "the connection belongs to another output")
        return false
    }

    private func report(_ method: String, _ reason: String) {
        system.misuse.report(.invalidArgument, "-[AVCaptureMovieFileOutput \(method)] \(reason)")
    }
}

extension AVCaptureDevice {
    /// The codec of movies with a standard dynamic range if the client selects none.
    var movieCodec: AVVideoCodecType {
        switch hardware.descriptor.movieCodec {
        case .h264: .h264
        case .hevc: .hevc
        }
    }
}
