import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import ModernCamera
import UIKit

/// Operates the camera app, also with the Camera Control of the simulated phone.
@main
struct ModernCameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modern-camera",
        abstract: "Zooms with the Camera Control, takes a photo with the self-timer and records a movie.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera, which has no Camera Control.")

    @Option(help: "The folder for photo.heic (photo.jpg without HEVC), movie.mov and screen.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run { try MainActor.assumeIsolated { try Self.show(in: demo) } }
    }

    @MainActor
    private static func show(in folder: String) throws {
        let world = try DemoWorld(folder: folder, results: ["photo.heic", "photo.jpg", "movie.mov", "screen.png"]) {
            try SimulatedSystem(scene: .street)
        }
        let model = CameraModel()
        let preview = AVCaptureVideoPreviewLayer()
        preview.bounds = CGRect(x: 0, y: 0, width: 360, height: 640)
        preview.videoGravity = .resizeAspectFill
        model.showPreview(in: preview)
        Task { await model.start() }
        try world.wait(for: "the camera") { model.status == .running && model.frameCount > 0 }
        print("camera: \(model.cameraName)")

        if let button = world.simulated?.cameraControl {
            button.adjust("Zoom", to: 2)
            button.adjust("Exposure", to: -0.5)
            button.adjust("Timer", to: 1)
            try world.wait(for: "the controls") { model.selfTimer == 3 }
            print("zoom \(model.zoomFactor), exposure \(model.exposureBias), self-timer \(model.selfTimer) s")
            button.dismiss()
        }
        let isPhotoDone = DemoResult<Bool>()
        Task {
            await model.takePhoto()
            isPhotoDone.value = true
        }
        try world.wait(for: "the photo") { isPhotoDone.value != nil }
        try world.write(preview.renderedImage(scale: 2), to: "screen.png")

        model.startRecording()
        world.wait(seconds: 2)
        print("recorded: \(model.recordedTime ?? "nothing")")
        Task { await model.stopRecording() }
        try world.wait(for: "the movie") { !model.isRecording }
        if let message = model.message { throw DemoFailure(message) }
        let photo = world.simulated == nil ? "photo.jpg" : "photo.heic"
        try world.exportNewest(.image, to: photo)
        try world.exportNewest(.video, to: "movie.mov")
        print("shown: \(model.frameCount) frames; \(photo), movie.mov and screen.png are in \(folder)")
    }
}
