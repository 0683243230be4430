import AVFoundation
import UIKit

/// The reason why the reader cannot be used.
public enum CodeReaderError: Error {
    case noCamera
    case notAccepted
}

/// Reads QR codes and retail bar codes with the default camera, and outlines them in its preview.
///
/// Use it on the main thread; codes are reported there.
public final class CodeReader: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
    // SAFETY: used on the main thread only.
    /// A code in the frame.
    public struct Code: Hashable, Sendable {
        public let text: String
        public let type: AVMetadataObject.ObjectType
        /// The bounds of the code in the coordinates of the preview layer.
        public let frame: CGRect
    }

    public let session = AVCaptureSession()
    public let previewLayer = AVCaptureVideoPreviewLayer()
    /// The codes in the last frame.
    public private(set) var codes: [Code] = []
    /// Called when the codes have changed.
    public var onChange: (([Code]) -> Void)?
    private let output = AVCaptureMetadataOutput()
    private var boxes: [CALayer] = []

    /// Creates a reader, and adds a preview layer that fills a layer.
    public init(on container: CALayer) throws {
        super.init()
        guard let camera = AVCaptureDevice.default(for: .video) else { throw CodeReaderError.noCamera }
        let input = try AVCaptureDeviceInput(device: camera)
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
        guard session.canAddInput(input) else { throw CodeReaderError.notAccepted }
        session.addInput(input)
        guard session.canAddOutput(output) else { throw CodeReaderError.notAccepted }
        session.addOutput(output)
        output.setMetadataObjectsDelegate(self, queue: .main)
        // The types are available once the output is added to a session with a camera.
        output.metadataObjectTypes = [.qr, .upce, .ean13, .ean8].filter(output.availableMetadataObjectTypes.contains)
        previewLayer.session = session
        previewLayer.videoGravity = .resizeAspectFill
        previewLayer.frame = container.bounds
        container.addSublayer(previewLayer)
    }

    /// Outlines and reports the codes of a frame.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        let found = metadataObjects.compactMap { object -> Code? in
            // The layer applies its gravity, rotation and mirroring.
            guard
                let code = previewLayer.transformedMetadataObject(for: object) as? AVMetadataMachineReadableCodeObject,
                let text = code.stringValue
            else { return nil }
            return Code(text: text, type: code.type, frame: code.bounds)
        }
        showBoxes(found.map(\.frame))
        guard found != codes else { return }
        codes = found
        onChange?(found)
    }

    private func showBoxes(_ frames: [CGRect]) {
        for box in boxes { box.removeFromSuperlayer() }
        boxes = frames.map { frame in
            let box = CALayer()
            box.frame = frame
            box.borderWidth = 2
            box.borderColor = UIColor(red: 1, green: 0.8, blue: 0, alpha: 1).cgColor
            previewLayer.addSublayer(box)
            return box
        }
    }
}
