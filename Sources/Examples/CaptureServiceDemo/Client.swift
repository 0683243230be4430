import AVFoundation
import CaptureService
import DemoWorld
import UIKit

/// A client of a capture service. It stores the last event, and the last media of each kind.
///
/// - Important: Confined to the main thread, except for `results`.
final class Client {
    private let service = CaptureService()
    private let results = Results()

    init() {
        service.delegate = results
        service.log = { print("  \($0)") }
    }

    /// Shows the front camera with faces, takes a photo, and records a movie during which the camera is switched.
    func showCamera(in world: DemoWorld) throws {
        service.openNativeFaceDetect = true
        service.shouldRecordAudio = true
        try start(in: world)
        world.wait(seconds: 2)
        print("frames: \(results.frames.value ?? 0), faces: \(results.faces.value?.count ?? 0)")
        for face in results.faces.value ?? [] {
            let bounds = face.bounds.integral
            print("  face \(face.faceID) at \(Int(bounds.minX)), \(Int(bounds.minY)), \(Int(bounds.width)) points wide")
        }
        try world.write(results.layer.value?.renderedImage(scale: 1), to: "screen.png")

        service.capturePhoto()
        try world.wait(for: "the photo") { self.results.photo.value != nil }
        let photo = results.photo.value?.jpegData(compressionQuality: 0.9)
        try photo?.write(to: world.url(of: "photo.jpg"))
        print("photo: \(results.photo.value?.size ?? .zero)")

        try record(in: world)
        service.stopRunning()
        try world.wait(for: "the stop") { self.results.event.value == "stopped" }
    }

    private func record(in world: DemoWorld) throws {
        service.startRecording()
        world.wait(seconds: 1.5)
        service.switchCamera()
        world.wait(seconds: 1.5)
        service.stopRecording()
        try world.wait(for: "the movie") { self.results.event.value == "recorded" }
        guard let url = service.recordURL else { throw DemoFailure("there is no movie") }
        // The service deletes its movies when it stops.
        try FileManager.default.moveItem(at: url, to: world.url(of: "movie.mp4"))
        let movie = AVURLAsset(url: world.url(of: "movie.mp4"))
        let camera = service.devicePosition == .back ? "back" : "front"
        let tracks = movie.tracks.map(\.mediaType.rawValue).joined(separator: ", ")
        print(String(format: "movie: %.2f s (%@), now with the %@ camera", movie.duration.seconds, tracks, camera))
    }

    /// Shows the depth of the front camera, if it measures depth.
    func showDepth(in world: DemoWorld) throws {
        service.devicePosition = .front
        guard service.depthSupported else { return print("depth: no camera measures it") }
        let depth = CaptureService()
        depth.delegate = results
        depth.log = service.log
        depth.sessionPreset = .vga640x480
        depth.openDepth = true
        depth.startRunning()
        try world.wait(for: "depth") { self.results.depth.value != nil }
        world.wait(seconds: 1)
        let map = results.depth.value?.converting(toDepthDataType: kCVPixelFormatType_DisparityFloat32).depthDataMap
        try world.write(map.flatMap(CGImage.disparity), to: "depth.png")
        depth.stopRunning()
        try world.wait(for: "the stop") { self.results.event.value == "stopped" }
    }

    private func start(in world: DemoWorld) throws {
        service.startRunning()
        results.layer.value?.frame = CGRect(x: 0, y: 0, width: 360, height: 640)
        try world.wait(for: "the start") { self.results.event.value != nil }
        guard results.event.value == "started" else { throw DemoFailure(results.event.value ?? "") }
    }
}

/// The last event, and the last media of each kind, that the service has delivered.
private final class Results: CaptureServiceDelegate {
    let event = DemoResult<String>()
    let layer = DemoResult<AVCaptureVideoPreviewLayer>()
    let frames = DemoResult<Int>()
    let faces = DemoResult<[AVMetadataFaceObject]>()
    let photo = DemoResult<UIImage>()
    let depth = DemoResult<AVDepthData>()

    func captureServiceDidStart(_ service: CaptureService) { event.value = "started" }
    func captureServiceDidStop(_ service: CaptureService) { event.value = "stopped" }
    func captureService(_ service: CaptureService, didFailWith error: any Error) { event.value = "failed: \(error)" }
    func captureService(_ service: CaptureService, didCreate previewLayer: AVCaptureVideoPreviewLayer) {
        layer.value = previewLayer
    }
    func captureService(_ service: CaptureService, didOutputVideo sampleBuffer: CMSampleBuffer) {
        frames.value = (frames.value ?? 0) + 1
    }
    func captureService(_ service: CaptureService, didOutput depthData: AVDepthData) { depth.value = depthData }
    func captureService(_ service: CaptureService, didDetect faces: [AVMetadataFaceObject]) {
        if !faces.isEmpty { self.faces.value = faces }
    }
    func captureService(_ service: CaptureService, didCapture photo: UIImage) { self.photo.value = photo }
    func captureServiceRecorderDidStart(_ service: CaptureService) { event.value = "recording" }
    func captureService(_ service: CaptureService, recorderDidFailWith error: any Error) {
        event.value = "not recorded: \(error)"
    }
    func captureServiceRecorderDidStop(_ service: CaptureService) { event.value = "recorded" }
}

extension CGImage {
    /// Returns a gray image of a disparity map (32-bit floats in 1/m): near is bright, white is 0.5 m or less.
    static func disparity(_ map: CVPixelBuffer) -> CGImage? {
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        var image: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &image)
        guard let image else { return nil }
        CVPixelBufferLockBaseAddress(map, .readOnly)
        CVPixelBufferLockBaseAddress(image, [])
        defer {
            CVPixelBufferUnlockBaseAddress(image, [])
            CVPixelBufferUnlockBaseAddress(map, .readOnly)
        }
        guard let source = CVPixelBufferGetBaseAddress(map), let target = CVPixelBufferGetBaseAddress(image) else {
            return nil
        }
        for y in 0..<height {
            let row = source + y * CVPixelBufferGetBytesPerRow(map)
            let pixels = target + y * CVPixelBufferGetBytesPerRow(image)
            for x in 0..<width {
                let disparity = row.load(fromByteOffset: 4 * x, as: Float.self)
                let gray = UInt32(disparity.isNaN ? 0 : min(max(disparity / 2, 0), 1) * 255)
                pixels.storeBytes(of: 0xff00_0000 | gray << 16 | gray << 8 | gray, toByteOffset: 4 * x, as: UInt32.self)
            }
        }
        let picture = CIImage(cvPixelBuffer: image)
        return CIContext().createCGImage(picture, from: picture.extent)
    }
}
