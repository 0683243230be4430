import AVFoundation
import CaptureGuide
import CaptureTesting
import XCTest

/// Creates a session with the default camera and frames of 640x480 pixels.
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

/// Returns the first camera of a session's inputs.
func camera(of session: AVCaptureSession) throws -> AVCaptureDevice {
    try XCTUnwrap(session.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.first { $0.hasMediaType(.video) })
}

/// Returns a scene of uniform grey. `lightSettings` completes its light in YAML.
func grey(lux: Int, _ lightSettings: String = "temperature: 4000 K") throws -> SimScene {
    .file(
        try .init(
            yaml: "scene: 1\nname: test\nbase: grey\nlight: {illuminance: \(lux) lx, \(lightSettings)}\n",
            file: "test.yaml"))
}

/// The pixels of an image with four bytes per pixel.
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

    /// Returns the green component of a pixel.
    func green(_ x: Int, _ y: Int) -> Int { Int(bytes[y * bytesPerRow + 4 * x + 1]) }

    /// Returns the mean absolute difference of green from another image of the same size, which is mirrored first if
    /// `isMirrored` is true.
    func difference(from other: Pixels, isMirrored: Bool = false) -> Double {
        var sum = 0
        for y in 0..<height {
            for x in 0..<width { sum += abs(green(x, y) - other.green(isMirrored ? width - 1 - x : x, y)) }
        }
        return Double(sum) / Double(width * height)
    }
}

extension CMSampleBuffer {
    /// The width and height of a frame; empty without an image.
    var size: [Int] { imageBuffer.map { [CVPixelBufferGetWidth($0), CVPixelBufferGetHeight($0)] } ?? [] }
}
