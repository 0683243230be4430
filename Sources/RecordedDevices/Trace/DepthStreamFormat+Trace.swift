import CaptureHAL
import MediaTypes

/// Written as `hdis:640x480:1/30..1/2`. Further ranges of frame durations follow after a plus sign.
extension DepthStreamFormat: TraceValue {
    static var traceSyntax: String { "a depth format such as hdis:640x480:1/30..1/2" }

    var traceText: String {
        "\(TraceCode(pixelFormat).traceText):\(dimensions.traceText):"
            + frameDurations.map(\.traceText).joined(separator: "+")
    }

    init?(traceText: String) {
        let parts = traceText.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let code = TraceCode(traceText: parts[0]),
            let dimensions = CMVideoDimensions(traceText: parts[1])
        else { return nil }
        var durations: [FrameDurationRange] = []
        for text in parts[2].split(separator: "+", omittingEmptySubsequences: false) {
            guard let range = FrameDurationRange(traceText: String(text)) else { return nil }
            durations.append(range)
        }
        self.init(dimensions: dimensions, pixelFormat: code.code, frameDurations: durations)
    }
}

// The keys of the depth that belongs to a frame:
//
// - `depth-lost`: the reason why the depth map was dropped; the only key in that case
// - `depth-size`: the dimensions of the map
// - `depth-pixels`: the pixel format of the map
// - `depth-absolute`: whether the values of the map are absolute
// - `depth-reference` to `depth-place`: the properties of the map's `CameraCalibration`, if it has one
// - `depth-pixel`: the side length of a pixel of the camera, in millimeters
// - `depth-place`: the position of the camera relative to the device's reference camera, in millimeters: x, y, z
extension TraceLine {
    /// Adds the depth of a frame.
    mutating func add(_ depth: TraceDepth) {
        switch depth {
        case TraceDepth.dropped(let reason): add("depth-lost", reason)
        case TraceDepth.map(let code, let size, let isAbsolute, let calibration):
            add("depth-size", size)
            add("depth-pixels", TraceCode(code))
            add("depth-absolute", isAbsolute)
            guard let calibration else { return }
            add("depth-reference", calibration.referenceDimensions)
            add("depth-focal", calibration.focalLength)
            add("depth-centre", TraceList([calibration.centerX, calibration.centerY]))
            add("depth-pixel", calibration.pixelSizeMillimeters)
            add("depth-distortion", TraceList(calibration.distortion.map(Double.init)))
            add("depth-place", TraceList([calibration.position.x, calibration.position.y, calibration.position.z]))
        }
    }

    /// Removes the keys of the depth of a frame and returns the depth; nil for a frame without depth.
    mutating func takeDepth() throws(TraceSyntaxError) -> TraceDepth? {
        if let reason: DroppedFrame.Reason = try take("depth-lost") { return TraceDepth.dropped(reason) }
        guard let size: CMVideoDimensions = try take("depth-size") else { return nil }
        let code: TraceCode = try require("depth-pixels")
        guard PixelFormat.format(of: code.code) != nil else {
            throw TraceSyntaxError("depth-pixels=\(code.traceText) is not a known pixel format")
        }
        guard (1...65536).contains(size.width), (1...65536).contains(size.height) else {
            throw TraceSyntaxError("depth-size=\(size.traceText) is not between 1x1 and 65536x65536")
        }
        let isAbsolute: Bool = try require("depth-absolute")
        guard let reference: CMVideoDimensions = try take("depth-reference") else {
            return TraceDepth.map(code.code, size, isAbsolute: isAbsolute, nil)
        }
        let center = try require("depth-centre", as: TraceList<Double>.self).elements
        let position = try require("depth-place", as: TraceList<Double>.self).elements
        guard center.count == 2, position.count == 3 else {
            throw TraceSyntaxError("depth-centre must have two numbers and depth-place three")
        }
        let calibration = CameraCalibration(
            referenceDimensions: reference, focalLength: try require("depth-focal"), centerX: center[0],
            centerY: center[1], pixelSizeMillimeters: try require("depth-pixel"),
            distortion: try require("depth-distortion", as: TraceList<Double>.self).elements.map(Float.init),
            position: SIMD3(position[0], position[1], position[2]))
        return TraceDepth.map(code.code, size, isAbsolute: isAbsolute, calibration)
    }
}
