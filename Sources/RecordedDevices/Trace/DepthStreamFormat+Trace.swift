import CaptureHAL
import MediaTypes

/// As `hdis:640x480:1/30..1/2`; further ranges of times follow after a plus.
extension DepthStreamFormat: TraceValue {
    static var traceForm: String { "a format of depth as hdis:640x480:1/30..1/2" }

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

extension TraceLine {
    mutating func add(_ depth: TraceDepth) {
        switch depth {
        case .dropped(let reason): add("depth-lost", reason)
        case .map(let code, let size, let isAbsolute, let calibration):
            add("depth-size", size)
            add("depth-pixels", TraceCode(code))
            add("depth-absolute", isAbsolute)
            guard let calibration else { return }
            add("depth-reference", calibration.referenceDimensions)
            add("depth-focal", calibration.focalLength)
            add("depth-centre", TraceList([calibration.centreX, calibration.centreY]))
            add("depth-pixel", calibration.pixelSizeMillimetres)
            add("depth-distortion", TraceList(calibration.distortion.map(Double.init)))
            add("depth-place", TraceList([calibration.place.x, calibration.place.y, calibration.place.z]))
        }
    }

    mutating func takeDepth() throws(TraceComplaint) -> TraceDepth? {
        if let reason: DroppedFrame.Reason = try take("depth-lost") { return .dropped(reason) }
        guard let size: CMVideoDimensions = try take("depth-size") else { return nil }
        let code: TraceCode = try need("depth-pixels")
        guard PixelFormat.format(of: code.code) != nil else {
            throw TraceComplaint("depth-pixels=\(code.traceText) is no pixel format")
        }
        guard (1...65536).contains(size.width), (1...65536).contains(size.height) else {
            throw TraceComplaint("depth-size=\(size.traceText) is no size of a map")
        }
        let isAbsolute: Bool = try need("depth-absolute")
        guard let reference: CMVideoDimensions = try take("depth-reference") else {
            return .map(code.code, size, isAbsolute: isAbsolute, nil)
        }
        let centre = try need("depth-centre", as: TraceList<Double>.self).elements
        let place = try need("depth-place", as: TraceList<Double>.self).elements
        guard centre.count == 2, place.count == 3 else {
            throw TraceComplaint("depth-centre has two numbers, and depth-place three")
        }
        let calibration = CameraCalibration(
            referenceDimensions: reference, focalLength: try need("depth-focal"), centreX: centre[0],
            centreY: centre[1], pixelSizeMillimetres: try need("depth-pixel"),
            distortion: try need("depth-distortion", as: TraceList<Double>.self).elements.map(Float.init),
            place: SIMD3(place[0], place[1], place[2]))
        return .map(code.code, size, isAbsolute: isAbsolute, calibration)
    }
}
