public import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The state of Live Photos in a photo output.
struct LivePhotoOptions: Sendable {
    var isEnabled = false
    var isSuspended = false
    var preservesSuspension = false
    /// The client's value of `isLivePhotoAutoTrimmingEnabled`; nil for the default.
    var trimsMovement: Bool?
}

/// Live Photos: photos with a movie of the moments before and after them.
///
/// The movie has up to 1.5 s before and after the photo, and the sound of the session's audio input, if there is one and
/// the output's audio connection is enabled. While Live Photos are enabled and not suspended, the output encodes each
/// frame, at most 30 per second.
extension AVCapturePhotoOutput {
    /// Whether Live Photos can be captured: with a camera of a phone, unless its frames have a high frame rate or 10 bits,
    /// and not in a session with an `AVCaptureMovieFileOutput`. Can be observed.
    public var isLivePhotoCaptureSupported: Bool {
        observedProperties.access()
        return supportsLivePhotos
    }

    /// Whether Live Photos are enabled; false by default, and after Live Photos were not supported. Setting it to true if
    /// they are not supported is misuse.
    ///
    /// A change while the session runs ends the movies in progress, and captures that wait for their photo fail with
    /// `.sessionConfigurationChanged`.
    public var isLivePhotoCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return livePhotoOptions.withLock { $0.isEnabled }
        }
        set {
            guard !newValue || supportsLivePhotos else {
                return rejectEnabling(true, "setLivePhotoCaptureEnabled:", "Live Photo capture")
            }
            let hasChanged = livePhotoOptions.withLock { options in
                defer {
                    options.isEnabled = newValue
                    if !newValue { options.isSuspended = false }
                }
                return options.isEnabled != newValue
            }
            if hasChanged, session?.isRunning ?? false { sessionDidStop(.reconfigured) }
            observedProperties.changed()
        }
    }

    /// Whether Live Photos are suspended. Setting it to true while Live Photos are not enabled is misuse.
    ///
    /// Movies in progress end when it becomes true. Later movies contain nothing from before it became false. It becomes
    /// false when the session stops, unless `preservesLivePhotoCaptureSuspendedOnSessionStop` is true.
    public var isLivePhotoCaptureSuspended: Bool {
        get {
            observedProperties.access()
            return livePhotoOptions.withLock { $0.isSuspended }
        }
        set {
            guard !newValue || supportsLivePhotos else {
                return rejectEnabling(true, "setLivePhotoCaptureSuspended:", "Live Photo capture")
            }
            guard !newValue || livePhotoOptions.withLock({ $0.isEnabled }) else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCapturePhotoOutput setLivePhotoCaptureSuspended:] Live Photo capture is not enabled")
            }
            let hasChanged = livePhotoOptions.withLock { options in
                defer { options.isSuspended = newValue }
                return options.isSuspended != newValue
            }
            if hasChanged { livePhotoRecorder.endMovies() }
            observedProperties.changed()
        }
    }

    /// Whether `isLivePhotoCaptureSuspended` remains true when the session stops; false by default.
    public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
        get { observedProperties.value(\.preservesSuspension, in: livePhotoOptions) }
        set { observedProperties.set(\.preservesSuspension, in: livePhotoOptions, to: newValue) }
    }

    /// Whether movies begin after, and end before, the camera moves by more than a frame's size per second; by default true
    /// if Live Photos are supported. At least 0.3 s before and after the photo remain.
    public var isLivePhotoAutoTrimmingEnabled: Bool {
        get { observedProperties.value(\.trimsMovement, in: livePhotoOptions) ?? supportsLivePhotos }
        set { observedProperties.set(\.trimsMovement, in: livePhotoOptions, to: newValue) }
    }

    /// The codecs of movies, the preferred one first; none if Live Photos are not supported. Can be observed.
    public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] {
        observedProperties.access()
        return supportsLivePhotos ? [.hevc, .h264] : []
    }

    /// The value of `isLivePhotoCaptureSupported`.
    private var supportsLivePhotos: Bool {
        guard let session, let camera else { return false }
        return camera.hardware.descriptor.encodesHEVCPhotos && camera.activeFormat.supportsLivePhotos
            && !session.outputs.contains(where: \.preventsLivePhotos)
    }

    /// Whether the output encodes each frame for Live Photos.
    var recordsLivePhotos: Bool { livePhotoOptions.withLock { $0.isEnabled && !$0.isSuspended } }

    /// Disables Live Photos, because they are no longer supported.
    func disableLivePhotos() {
        let wasEnabled = livePhotoOptions.withLock { options in
            defer { (options.isEnabled, options.isSuspended) = (false, false) }
            return options.isEnabled
        }
        if wasEnabled { livePhotoRecorder.endMovies() }
    }

    /// Returns the reason why a Live Photo cannot be captured with settings; nil if it can, or if they request none.
    func livePhotoRejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        guard let url = settings.livePhotoMovieFileURL else { return nil }
        let options = livePhotoOptions.withLock { $0 }
        guard options.isEnabled else {
            return "livePhotoMovieFileURL may not be set unless isLivePhotoCaptureEnabled is YES"
        }
        guard !options.isSuspended else {
            return "livePhotoMovieFileURL may not be set while isLivePhotoCaptureSuspended is YES"
        }
        guard url.isFileURL else { return "livePhotoMovieFileURL \(url) must be a file URL" }
        guard !(settings is AVCapturePhotoBracketSettings) else {
            return "livePhotoMovieFileURL may not be set for AVCapturePhotoBracketSettings"
        }
        guard !Self.isAppleProRAWPixelFormat(settings.rawPhotoPixelFormatType) else {
            return "livePhotoMovieFileURL may not be set for an Apple ProRAW photo"
        }
        guard availableLivePhotoVideoCodecTypes.contains(settings.livePhotoVideoCodecType) else {
            return "Unsupported codec \(settings.livePhotoVideoCodecType.rawValue) - use "
                + "availableLivePhotoVideoCodecTypes"
        }
        let identifier = AVMetadataIdentifier.quickTimeMetadataContentIdentifier
        guard !settings.livePhotoMovieMetadata.contains(where: { $0.identifier == identifier }) else {
            return "livePhotoMovieMetadata may not contain AVMetadataQuickTimeMetadataKeyContentIdentifier"
        }
        return nil
    }

    /// Returns a new content identifier of a Live Photo: a UUID in upper case.
    func makeContentIdentifier() -> String {
        // "LIVEPHOT" in ASCII.
        system.component(IdentifierSource.self) {
            IdentifierSource(seed: system.seed, purpose: 0x4C49_5645_5048_4F54)
        }.next().uuidString
    }

    /// Begins the movie of a request for a Live Photo.
    func beginLivePhoto(of request: PhotoRequest) {
        let (settings, resolved) = (request.settings, request.resolved)
        guard let url = settings.livePhotoMovieFileURL, let identifier = settings.contentIdentifier else { return }
        let capture = LivePhotoCapture(
            number: settings.number, url: url, codec: settings.livePhotoSampleCodec, contentIdentifier: identifier,
            items: settings.livePhotoMovieMetadata, device: camera(of: request.connection)
        ) {
            self.callDelegate(of: request, .didRecordLivePhoto(resolved.uniqueID, url)) {
                $1.photoOutput($0, didFinishRecordingLivePhotoMovieForEventualFileAt: url, resolvedSettings: resolved)
            }
        } didFinish: { result in
            let (duration, displayTime, error): (CMTime, CMTime, AVError?) =
                switch result {
                case .movie(let duration, let displayTime): (duration, displayTime, nil)
                case .failure(let error): (.invalid, .invalid, error)
                }
            let report = DelegateCall.didProcessLivePhoto(
                resolved.uniqueID, url, duration: duration, displayTime: displayTime, error)
            self.callDelegate(of: request, report) {
                $1.photoOutput(
                    $0, didFinishProcessingLivePhotoToMovieFileAt: url, duration: duration,
                    photoDisplayTime: displayTime, resolvedSettings: resolved, error: error)
            }
            self.resultWasDelivered(of: request, error)
        }
        livePhotoRecorder.begin(capture)
    }

    /// Registers the exposure of a photo.
    func exposeLivePhoto(of request: PhotoRequest, at time: CMTime) {
        guard request.settings.livePhotoMovieFileURL != nil else { return }
        livePhotoRecorder.photoWasExposed(request.settings.number, at: time, request.connection.movieOrientation)
    }

    /// Adds media to the movies of Live Photos, if they are enabled.
    func recordLivePhotos(_ media: CapturedMedia) {
        guard recordsLivePhotos else { return }
        livePhotoRecorder.consume(
            media, trimsMovement: isLivePhotoAutoTrimmingEnabled,
            hasAudio: connection(with: .audio)?.passesMedia ?? false)
    }

    /// Ends the movies in progress, because the media stop.
    func stopLivePhotos(_ reason: StopReason) {
        livePhotoRecorder.endMovies()
        switch reason {
        case .reconfigured, .interrupted: return
        case .stopped, .failed: break
        }
        let wasSuspended = livePhotoOptions.withLock { options in
            guard options.isSuspended, !options.preservesSuspension else { return false }
            options.isSuspended = false
            return true
        }
        if wasSuspended { observedProperties.changed(["isLivePhotoCaptureSuspended"]) }
    }
}

extension AVCapturePhotoSettings {
    /// The codec of the Live Photo's movie.
    var livePhotoSampleCodec: VideoSampleFormat.Codec { MovieVideoSettings(codec: livePhotoVideoCodecType).sampleCodec }
}

extension AVCaptureDevice.Format {
    /// Whether Live Photos can be captured: the frames have 8 bits, and at most 60 of them per second.
    fileprivate var supportsLivePhotos: Bool {
        let isEightBit = !PixelLayout.tenBitPixelFormats.contains(CMFormatDescriptionGetMediaSubType(formatDescription))
        return isEightBit && videoSupportedFrameRateRanges.allSatisfy { $0.maxFrameRate <= 60 }
    }
}
