import AVFoundation

/// The reason why the recorder cannot be used.
public enum SlowMotionError: Error, Equatable, CustomStringConvertible {
    case noCamera
    case notFastEnough
    case notAccepted

    public var description: String {
        switch self {
        case .noCamera: "there is no camera"
        case .notFastEnough: "no format of the camera is fast enough"
        case .notAccepted: "the session does not accept the camera or the output"
        }
    }
}

/// Records the default camera at a high frame rate, by default 240 frames per second.
public final class SlowMotionRecorder: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
    public let session = AVCaptureSession()
    private let output = AVCaptureMovieFileOutput()
    private let finished: @Sendable (URL, (any Error)?) -> Void

    /// Creates a recorder.
    ///
    /// - Parameter finished: Called once for each recording, on a queue of the output.
    public init(framesPerSecond: Int32 = 240, finished: @escaping @Sendable (URL, (any Error)?) -> Void) throws {
        self.finished = finished
        super.init()
        guard let camera = AVCaptureDevice.default(for: .video) else { throw SlowMotionError.noCamera }
        guard let format = Self.smallestFormat(of: camera, framesPerSecond: Double(framesPerSecond)) else {
            throw SlowMotionError.notFastEnough
        }
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else { throw SlowMotionError.notAccepted }
        session.addInput(input)
        guard session.canAddOutput(output) else { throw SlowMotionError.notAccepted }
        session.addOutput(output)
        // The format is set last, because adding an input and setting a preset change it.
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        camera.activeFormat = format
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: framesPerSecond)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: framesPerSecond)
    }

    /// Returns the format with the fewest pixels among those that support a frame rate; nil if there is none.
    public static func smallestFormat(of camera: AVCaptureDevice, framesPerSecond: Double) -> AVCaptureDevice.Format? {
        let fast = camera.formats.filter { format in
            format.videoSupportedFrameRateRanges.contains { $0.maxFrameRate >= framesPerSecond }
        }
        return fast.min { pixelCount(of: $0) < pixelCount(of: $1) }
    }

    private static func pixelCount(of format: AVCaptureDevice.Format) -> Int {
        let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
        return Int(size.width) * Int(size.height)
    }

    /// Records to a file that does not exist yet.
    public func start(to url: URL) { output.startRecording(to: url, recordingDelegate: self) }

    /// Ends the recording.
    public func stop() { output.stopRecording() }

    /// Reports that the recording has ended.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) { finished(outputFileURL, error) }
}
