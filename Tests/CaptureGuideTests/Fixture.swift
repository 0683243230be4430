import AVFoundation
import CaptureGuide
import CaptureTesting
import XCTest

/// Creates a session with the default camera and small frames.
func makeSession(hasMicrophone: Bool = false, _ outputs: AVCaptureOutput...) throws -> AVCaptureSession {
    try makeSession(.vga640x480, hasMicrophone: hasMicrophone, outputs)
}

/// Creates a session with the default camera.
func makeSession(_ preset: AVCaptureSession.Preset, _ outputs: AVCaptureOutput...) throws -> AVCaptureSession {
    try makeSession(preset, hasMicrophone: false, outputs)
}

private func makeSession(
    _ preset: AVCaptureSession.Preset, hasMicrophone: Bool, _ outputs: [AVCaptureOutput]
) throws -> AVCaptureSession {
    let session = AVCaptureSession()
    try session.configure {
        try session.addInput(forDefaultDeviceOf: .video)
        if hasMicrophone { try session.addInput(forDefaultDeviceOf: .audio) }
        try session.usePreset(preset)
        for output in outputs { try session.add(output) }
    }
    return session
}

/// The camera of a session.
func camera(of session: AVCaptureSession) throws -> AVCaptureDevice {
    try XCTUnwrap(session.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.first { $0.hasMediaType(.video) })
}

/// A scene of one grey with a light.
func grey(lux: Int, _ more: String = "temperature: 4000 K") throws -> SimScene {
    .file(
        try .init(
            yaml: "scene: 1\nname: test\nbase: grey\nlight: {illuminance: \(lux) lx, \(more)}\n", file: "test.yaml"))
}

/// The pixels of an image.
struct Pixels {
    let width: Int
    let height: Int
    private let bytesPerRow: Int
    private let bytes: Data

    init(_ image: CGImage?) throws {
        let image = try XCTUnwrap(image)
        (width, height, bytesPerRow) = (image.width, image.height, image.bytesPerRow)
        bytes = try XCTUnwrap(image.dataProvider?.data)
    }

    /// The green component at a point.
    func green(_ x: Int, _ y: Int) -> Int { Int(bytes[y * bytesPerRow + 4 * x + 1]) }

    /// The mean difference from another image of the same size, which can be mirrored first.
    func difference(from other: Pixels, isMirrored: Bool = false) -> Double {
        var sum = 0
        for y in 0..<height {
            for x in 0..<width { sum += abs(green(x, y) - other.green(isMirrored ? width - 1 - x : x, y)) }
        }
        return Double(sum) / Double(width * height)
    }
}

extension CMSampleBuffer {
    /// The width and height of a frame.
    var size: [Int] { imageBuffer.map { [CVPixelBufferGetWidth($0), CVPixelBufferGetHeight($0)] } ?? [] }
}
