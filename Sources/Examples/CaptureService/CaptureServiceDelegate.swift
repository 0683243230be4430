import AVFoundation
import UIKit

/// Receives the events and media of a capture service. All methods are optional.
///
/// Sample buffers and depth arrive on the service's output queue, everything else on the main thread.
public protocol CaptureServiceDelegate: AnyObject {
    /// The session runs for the first time since `startRunning()`.
    func captureServiceDidStart(_ service: CaptureService)
    /// The service cannot be set up, or fails while it runs.
    func captureService(_ service: CaptureService, didFailWith error: any Error)
    /// The session has stopped because of `stopRunning()`.
    func captureServiceDidStop(_ service: CaptureService)
    /// The service has created a preview layer; called once, if there is no preview source.
    func captureService(_ service: CaptureService, didCreate previewLayer: AVCaptureVideoPreviewLayer)

    /// A frame was captured. Frames are skipped while the delegate processes an earlier one.
    func captureService(_ service: CaptureService, didOutputVideo sampleBuffer: CMSampleBuffer)
    /// Sound was captured.
    func captureService(_ service: CaptureService, didOutputAudio sampleBuffer: CMSampleBuffer)
    /// Depth was captured.
    func captureService(_ service: CaptureService, didOutput depthData: AVDepthData)
    /// Faces were detected, in the coordinates of the preview layer.
    func captureService(_ service: CaptureService, didDetect faces: [AVMetadataFaceObject])
    /// The photo that `capturePhoto()` requested.
    func captureService(_ service: CaptureService, didCapture photo: UIImage)

    /// A recording has begun.
    func captureServiceRecorderDidStart(_ service: CaptureService)
    /// A recording has failed; its movie is deleted.
    func captureService(_ service: CaptureService, recorderDidFailWith error: any Error)
    /// The movie at `recordURL` is complete.
    func captureServiceRecorderDidStop(_ service: CaptureService)
}

extension CaptureServiceDelegate {
    public func captureServiceDidStart(_ service: CaptureService) {}
    public func captureService(_ service: CaptureService, didFailWith error: any Error) {}
    public func captureServiceDidStop(_ service: CaptureService) {}
    public func captureService(_ service: CaptureService, didCreate previewLayer: AVCaptureVideoPreviewLayer) {}
    public func captureService(_ service: CaptureService, didOutputVideo sampleBuffer: CMSampleBuffer) {}
    public func captureService(_ service: CaptureService, didOutputAudio sampleBuffer: CMSampleBuffer) {}
    public func captureService(_ service: CaptureService, didOutput depthData: AVDepthData) {}
    public func captureService(_ service: CaptureService, didDetect faces: [AVMetadataFaceObject]) {}
    public func captureService(_ service: CaptureService, didCapture photo: UIImage) {}
    public func captureServiceRecorderDidStart(_ service: CaptureService) {}
    public func captureService(_ service: CaptureService, recorderDidFailWith error: any Error) {}
    public func captureServiceRecorderDidStop(_ service: CaptureService) {}
}

/// Provides the layer in which a capture service shows its preview.
public protocol CaptureServicePreviewSource: AnyObject {
    /// The layer, for example that of a view; the service sets its session.
    var previewLayer: AVCaptureVideoPreviewLayer { get }
}
