import AVFoundation

extension AVCaptureDevice {
    /// One line for each format: media type, size, rates, field of view, zoom and stabilization.
    public var formatLines: [String] {
        formats.map { format in
            let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
            let rates = format.videoSupportedFrameRateRanges.map { "\($0.minFrameRate)-\($0.maxFrameRate) fps" }
            let supportsStabilization = format.isVideoStabilizationModeSupported(.standard)
            return "\(format.mediaType.rawValue) \(size.width)x\(size.height) \(rates.joined(separator: ", "))"
                + ", \(format.videoFieldOfView) degrees, zoom \(format.videoMaxZoomFactor)"
                + ", \(supportsStabilization ? "stabilized" : "not stabilized")"
        }
    }

    /// Returns the first format that has a size and supports a frame rate; nil if there is none.
    public func format(width: Int32, height: Int32, framesPerSecond: Double) -> Format? {
        formats.first { format in
            let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
            return size.width == width && size.height == height
                && format.videoSupportedFrameRateRanges.contains { $0.maxFrameRate >= framesPerSecond }
        }
    }

    /// Sets the active format and frame rate. The preset of the camera's session becomes `inputPriority`.
    public func use(_ format: Format, framesPerSecond: Int32) throws {
        try configure {
            $0.activeFormat = format
            $0.activeVideoMinFrameDuration = CMTime(value: 1, timescale: framesPerSecond)
            $0.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: framesPerSecond)
        }
    }
}
