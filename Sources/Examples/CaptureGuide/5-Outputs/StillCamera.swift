import AVFoundation

/// Takes stills with a session's camera.
public final class StillCamera: Sendable {
    /// A still as the camera compressed it.
    public struct Still {
        /// The JPEG data, with the metadata as attachments.
        public let sampleBuffer: CMSampleBuffer

        /// The entries of the EXIF metadata.
        public var exif: [String: Any] {
            get {
                CMGetAttachment(sampleBuffer, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil)
                    as? [String: Any] ?? [:]
            }
            nonmutating set {
                CMSetAttachment(
                    sampleBuffer, key: kCGImagePropertyExifDictionary, value: newValue as CFDictionary,
                    attachmentMode: kCMAttachmentMode_ShouldPropagate)
            }
        }

        /// The contents of a JPEG file: the camera's data, which is not compressed again, and the metadata.
        public var jpeg: Data? { AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sampleBuffer) }
    }

    /// The output; add it to the session.
    public let output = AVCaptureStillImageOutput()

    /// Creates a camera for JPEG stills.
    public init() { output.outputSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg.rawValue] }

    /// The connection of the camera's video.
    public var videoConnection: AVCaptureConnection? {
        output.connections.first { connection in connection.inputPorts.contains { $0.mediaType == .video } }
    }

    /// Takes a still.
    ///
    /// - Parameter completion: Called once, on a queue of the output.
    public func capture(completion: @escaping @Sendable (Result<Still, any Error>) -> Void) {
        guard let videoConnection else { return completion(.failure(SetupError.noDevice(.video))) }
        output.captureStillImageAsynchronously(from: videoConnection) { sampleBuffer, error in
            if let sampleBuffer {
                completion(.success(Still(sampleBuffer: sampleBuffer)))
            } else {
                completion(.failure(error ?? AVError(.unknown)))
            }
        }
    }
}
