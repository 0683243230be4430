public import Foundation
public import MediaTypes

/// Receives the progress and the result of a photo capture.
///
/// The methods are called in the order of declaration, on a serial queue of the output. All are optional. The methods for
/// a Live Photo's movie can be called before those for the photo.
public protocol AVCapturePhotoCaptureDelegate: AnyObject {
    /// The capture begins, and its settings are resolved; always the first callback.
    func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The exposure begins; play a shutter sound now.
    func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The exposure has ended.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The photo is available, or `error` is set.
    ///
    /// If this method is not implemented, the method with a sample buffer is called.
    ///
    /// - Parameter photo: After an error it has no pixels and no file data.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?)
    /// The photo is available as a sample buffer. Called only if `photoOutput(_:didFinishProcessingPhoto:error:)` is
    /// not implemented.
    ///
    /// - Parameter photoSampleBuffer: Pixels, or JPEG data with the metadata as attachments; nil after an error and for
    ///   HEIF photos.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?)
    /// The RAW photo is available as a sample buffer with its samples. Called only if
    /// `photoOutput(_:didFinishProcessingPhoto:error:)` is not implemented.
    ///
    /// - Parameter rawSampleBuffer: Nil after an error.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingRawPhoto rawSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?)
    /// A proxy is available in place of a photo, which is processed later, or `error` is set. Called only if the output's
    /// `isAutoDeferredPhotoDeliveryEnabled` is true; a delegate that does not implement it then is misuse.
    ///
    /// - Parameter deferredPhotoProxy: Nil after an error.
    func photoOutput(
        _ output: AVCapturePhotoOutput,
        didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?, error: (any Error)?)
    /// No more media are added to the movie of a Live Photo, which is not written yet.
    func photoOutput(
        _ output: AVCapturePhotoOutput,
        didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
        resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The movie of a Live Photo is written, or `error` is set and there is no file.
    ///
    /// - Parameters:
    ///   - duration: Nominally 3 s; less if the movie was trimmed or ended early, or if the session had just started.
    ///     Invalid after an error.
    ///   - photoDisplayTime: The time in the movie at which to show the photo; invalid after an error.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
        duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?)
    /// The capture has finished; always the last callback.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?)
}

extension AVCapturePhotoCaptureDelegate {
    public func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        let preview = photo.previewPixelBuffer.flatMap {
            EncodedPhoto(pixelBuffer: $0).sampleBuffer(at: photo.timestamp)
        }
        guard !photo.isRawPhoto else {
            return photoOutput(
                output, didFinishProcessingRawPhoto: photo.contents.sampleBuffer(at: photo.timestamp),
                previewPhoto: preview, resolvedSettings: photo.resolvedSettings,
                bracketSettings: photo.bracketSettings, error: error)
        }
        photoOutput(
            output, didFinishProcessingPhoto: photo.contents.sampleBuffer(at: photo.timestamp), previewPhoto: preview,
            resolvedSettings: photo.resolvedSettings, bracketSettings: photo.bracketSettings, error: error)
    }
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingRawPhoto rawSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput,
        didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?, error: (any Error)?
    ) {
        output.system.misuse.report(
            .invalidArgument,
            "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:] the delegate must implement "
                + "captureOutput:didFinishCapturingDeferredPhotoProxy:error: if autoDeferredPhotoDeliveryEnabled is YES"
        )
    }
    public func photoOutput(
        _ output: AVCapturePhotoOutput,
        didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
        resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
        duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {}
}
