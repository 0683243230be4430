import AVFoundation
import CaptureHAL
import CaptureTesting
import TestSupport
import UIKit
import XCTest

@testable import CaptureService

/// A client of the service that records everything it receives.
final class ServiceClient: CaptureServiceDelegate, Sendable {
    /// `started`, `stopped` and `failed` for the service; `recording`, `recorded` and `not recorded` for movies.
    let events = Events<String>()
    let errors = Events<any Error>()
    /// The last frame.
    let video = Events<CMSampleBuffer>()
    /// An element for each frame.
    let receivedFrames = Events<Bool>()
    /// An element for each audio buffer.
    let receivedAudioBuffers = Events<Bool>()
    let faces = Events<[AVMetadataFaceObject]>()
    /// The last depth data.
    let depth = Events<AVDepthData>()
    let photos = Events<UIImage>()
    let layers = Events<AVCaptureVideoPreviewLayer>()
    /// Whether each event or photo arrived on the main thread.
    let areOnMain = Events<Bool>()
    /// The label of the queue of each sample.
    let queues = Events<String?>()
    /// A block that is called with each frame; empty for none.
    let frameHandler = Events<@Sendable () -> Void>()
    static let queueKey = DispatchSpecificKey<String>()

    private func add(_ event: String) {
        events.add(event)
        areOnMain.add(Thread.isMainThread)
    }

    func captureServiceDidStart(_ service: CaptureService) { add("started") }
    func captureService(_ service: CaptureService, didFailWith error: any Error) {
        errors.add(error)
        add("failed")
    }
    func captureServiceDidStop(_ service: CaptureService) { add("stopped") }
    func captureService(_ service: CaptureService, didCreate previewLayer: AVCaptureVideoPreviewLayer) {
        layers.add(previewLayer)
    }
    func captureService(_ service: CaptureService, didOutputVideo sampleBuffer: CMSampleBuffer) {
        queues.add(DispatchQueue.getSpecific(key: Self.queueKey))
        // Retained buffers would stop the camera.
        video.removeAll()
        video.add(sampleBuffer)
        frameHandler.last?()
        receivedFrames.add(true)
    }
    func captureService(_ service: CaptureService, didOutputAudio sampleBuffer: CMSampleBuffer) {
        queues.add(DispatchQueue.getSpecific(key: Self.queueKey))
        receivedAudioBuffers.add(true)
    }
    func captureService(_ service: CaptureService, didOutput depthData: AVDepthData) {
        depth.removeAll()
        depth.add(depthData)
    }
    func captureService(_ service: CaptureService, didDetect faces: [AVMetadataFaceObject]) { self.faces.add(faces) }
    func captureService(_ service: CaptureService, didCapture photo: UIImage) {
        photos.add(photo)
        areOnMain.add(Thread.isMainThread)
    }
    func captureServiceRecorderDidStart(_ service: CaptureService) { add("recording") }
    func captureService(_ service: CaptureService, recorderDidFailWith error: any Error) {
        errors.add(error)
        add("not recorded")
    }
    func captureServiceRecorderDidStop(_ service: CaptureService) { add("recorded") }
}

/// The service and its client in a simulated system with small frames.
final class ServiceApp {
    let simulated: SimulatedSystem
    let service: CaptureService
    let client = ServiceClient()
    let log = Events<String>()

    init(
        profile: String = "phone", scene: SimScene = .grey, preset: AVCaptureSession.Preset = .cif352x288,
        authorization: [ProtectedResource: AuthorizationState] = [:], hasSound: Bool = false
    ) throws {
        simulated = try SimulatedSystem(profile: profile, scene: scene, sound: .tone, authorization: authorization)
        service = CaptureService()
        service.delegate = client
        service.sessionPreset = preset
        service.shouldRecordAudio = hasSound
        service.folder = simulated.folder.appendingPathComponent("movies", isDirectory: true)
        let log = log
        service.log = { log.add($0) }
        service.outputQueue.setSpecific(key: ServiceClient.queueKey, value: "output")
    }

    func advance(_ duration: Duration) { simulated.advance(by: duration) }
    var events: [String] { client.events.all }
    var camera: AVCaptureDevice? { service.cameraInput?.device }
    /// The code of the last error; nil if that is not the service's own.
    var lastCode: Int? { (client.errors.last as? CaptureServiceError)?.code.rawValue }

    /// Starts the service and waits for its first frames.
    func start(file: StaticString = #filePath, line: UInt = #line) {
        service.startRunning()
        simulated.advance(until: { self.client.receivedFrames.count > 1 }, limit: .seconds(3))
        XCTAssertEqual(client.events.all.last, "started", "\(client.errors.all)", file: file, line: line)
    }

    /// Completes the movie and returns it.
    func finish(file: StaticString = #filePath, line: UInt = #line) throws -> AVURLAsset {
        service.stopRecording()
        advance(.milliseconds(500))
        XCTAssertEqual(events.last, "recorded", "\(client.errors.all) \(log.all)", file: file, line: line)
        return AVURLAsset(url: try XCTUnwrap(service.recordURL, file: file, line: line))
    }

    /// Records for a duration and returns the completed movie.
    func record(_ duration: Duration, file: StaticString = #filePath, line: UInt = #line) throws -> AVURLAsset {
        service.startRecording()
        advance(duration)
        return try finish(file: file, line: line)
    }

    /// Returns the width and height of the last frame.
    func frameSize() throws -> [Int] {
        let buffer = try XCTUnwrap(client.video.last?.imageBuffer)
        return [CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)]
    }

    /// The names of the movie files.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: service.folder.path)) ?? [] }
}
