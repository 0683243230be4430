import AVFoundation

/// The reason why the viewer cannot be used.
public enum DepthViewerError: Error {
    case noDepthCamera
    case notAccepted
}

/// Delivers each frame of a depth camera with an image of its depth map.
///
/// Use it on the main thread; frames are reported there.
public final class DepthViewer: NSObject, AVCaptureDataOutputSynchronizerDelegate, @unchecked Sendable {
    // SAFETY: the constants are thread-safe; the variables `onFrame` and `lastFrame` are used on the main thread only.
    /// A frame with its depth map.
    public struct Frame: Sendable {
        public let time: CMTime
        public let color: CGImage
        /// A gray image: the nearest point is white, points at infinity are black.
        public let depth: CGImage
        /// The distances in meters.
        public let map: DepthMap
    }

    public let session = AVCaptureSession()
    public let camera: AVCaptureDevice
    /// Called with each frame.
    public var onFrame: ((Frame) -> Void)?
    /// The last frame.
    public private(set) var lastFrame: Frame?
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let synchronizer: AVCaptureDataOutputSynchronizer
    private let context = CIContext()

    /// Creates a viewer with the first depth camera at a position.
    public init(position: AVCaptureDevice.Position = .unspecified) throws {
        let cameras = AVCaptureDevice.DiscoverySession(
            deviceTypes: [
                .builtInLiDARDepthCamera, .builtInTrueDepthCamera, .builtInDualWideCamera, .builtInDualCamera,
            ],
            mediaType: .video, position: position)
        guard let camera = cameras.devices.first else { throw DepthViewerError.noDepthCamera }
        self.camera = camera
        synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput])
        super.init()
        try configure()
        // The synchronizer delivers each frame together with its depth map.
        synchronizer.setDelegate(self, queue: DispatchQueue(label: "depth"))
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if session.canSetSessionPreset(.vga640x480) { session.sessionPreset = .vga640x480 }
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else { throw DepthViewerError.notAccepted }
        session.addInput(input)
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        for output in [videoOutput, depthOutput] {
            guard session.canAddOutput(output) else { throw DepthViewerError.notAccepted }
            session.addOutput(output)
        }
        // The filter fills unmeasured pixels from their surroundings and from earlier maps.
        depthOutput.isFilteringEnabled = true
        for connection in [videoOutput.connection(with: .video), depthOutput.connection(with: .depthData)] {
            if let connection, connection.isVideoOrientationSupported { connection.videoOrientation = .portrait }
        }
    }

    /// Converts and reports a frame with its depth map.
    public func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) {
        guard
            let video = synchronizedDataCollection.synchronizedData(for: videoOutput)
                as? AVCaptureSynchronizedSampleBufferData,
            let depth = synchronizedDataCollection.synchronizedData(for: depthOutput)
                as? AVCaptureSynchronizedDepthData,
            !video.sampleBufferWasDropped, !depth.depthDataWasDropped,
            let frame = CMSampleBufferGetImageBuffer(video.sampleBuffer), let color = image(of: frame),
            let map = DepthMap(depth.depthData), let gray = map.pixelBuffer().flatMap(image)
        else { return }
        let result = Frame(time: video.timestamp, color: color, depth: gray, map: map)
        DispatchQueue.main.async { [weak self] in
            self?.lastFrame = result
            self?.onFrame?(result)
        }
    }

    private func image(of pixelBuffer: CVPixelBuffer) -> CGImage? {
        let image = CIImage(cvPixelBuffer: pixelBuffer)
        return context.createCGImage(image, from: image.extent)
    }
}
