import AVFoundation
import UIKit

/// Photos.
extension CaptureService {
    /// Takes a photo, with HEVC if the camera has it; if it fails, the delegate is not called.
    public func capturePhoto() {
        sessionQueue.async {
            guard let connection = self.photoOutput.connection(with: .video), connection.isActive else { return }
            let codec = self.photoOutput.availablePhotoCodecTypes.contains(.hevc) ? AVVideoCodecType.hevc : .jpeg
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
            if self.photoOutput.supportedFlashModes.contains(self.flashMode) { settings.flashMode = self.flashMode }
            self.photoOutput.capturePhoto(with: settings, delegate: self)
        }
    }
}

extension CaptureService: AVCapturePhotoCaptureDelegate {
    /// Passes the photo to the delegate as an image; errors are not reported.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        guard error == nil, let image = photo.fileDataRepresentation().flatMap(UIImage.init(data:)) else { return }
        report { $0.captureService(self, didCapture: image) }
    }
}

/// Frames, sound, faces and depth; on the data queue.
extension CaptureService: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    /// Writes a sample buffer if a movie is recorded, and passes it to the delegate.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let isVideo = output === videoOutput
        let (isWriting, isDelivered) = lock.withLock {
            let isDelivered = !isVideo || !shared.isDeliveringVideo
            if isVideo { shared.isDeliveringVideo = true }
            return (shared.isWriting, isDelivered)
        }
        if isWriting {
            writingQueue.async { self.writer?.append(sampleBuffer, isVideo: isVideo) }
        }
        // Frames that are queued for a slow delegate would retain buffers that the camera needs.
        guard isDelivered else { return }
        outputQueue.async {
            autoreleasepool {
                if isVideo {
                    self.delegate?.captureService(self, didOutputVideo: sampleBuffer)
                    self.lock.withLock { self.shared.isDeliveringVideo = false }
                } else {
                    self.delegate?.captureService(self, didOutputAudio: sampleBuffer)
                }
            }
        }
    }
}

extension CaptureService: AVCaptureMetadataOutputObjectsDelegate {
    /// Passes the faces in the coordinates of the preview layer; faces that the layer cannot convert are left out.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        report { delegate in
            let faces = metadataObjects.compactMap {
                self.previewLayer?.transformedMetadataObject(for: $0) as? AVMetadataFaceObject
            }
            delegate.captureService(self, didDetect: faces)
        }
    }
}

extension CaptureService: AVCaptureDepthDataOutputDelegate {
    /// Passes the depth data to the delegate on the output queue.
    public func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection
    ) {
        outputQueue.async { self.delegate?.captureService(self, didOutput: depthData) }
    }
}
