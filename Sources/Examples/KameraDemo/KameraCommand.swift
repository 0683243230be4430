import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import Kamera
import Photos
import UIKit

/// Takes a photo and records a movie with the camera app, and copies them from the photo library.
@main
struct KameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kamera", abstract: "Takes a photo and records a movie with a camera app.",
        discussion: """
            The camera and the photo library are simulated, in virtual time. With OBSCURA_BACKEND=linux, the camera is that \
            of the machine, and the photo and the movie are also saved in its photo library.
            """)

    @Option(
        help: ArgumentHelp(
            "The folder for movie.mov, photo.jpg, thumbnail.png and screen.png.", valueName: "folder"))
    var demo: String?

    @Flag(help: "Use the still image output and the assets library, as the book does.")
    var classic = false

    @Option(help: "The length of the movie in seconds.")
    var seconds = 3.0

    func validate() throws {
        guard seconds > 0, seconds <= 3600 else { throw ValidationError("--seconds must be between 0 and 3600") }
    }

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run { try show(in: demo) }
    }

    private func show(in folder: String) throws {
        // The phone is held upright.
        let world = try DemoWorld(
            folder: folder, results: ["movie.mov", "photo.jpg", "thumbnail.png", "screen.png"]
        ) { try SimulatedSystem(scene: .street, orientation: .portrait) }
        let user = KameraUser()
        let thumbnail = DemoResult<UIImage>()
        let observer = NotificationCenter.default.addObserver(forName: .thumbnailCreated, object: nil, queue: nil) {
            thumbnail.value = $0.object as? UIImage
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let camera = classic ? CameraController.classic() : CameraController.modern()
        camera.delegate = user
        try camera.setupSession()
        let screen = AVCaptureVideoPreviewLayer(session: camera.session)
        screen.frame = CGRect(x: 0, y: 0, width: 320, height: 568)
        screen.videoGravity = .resizeAspectFill
        camera.startSession()
        try world.wait(for: "the start") { camera.session.isRunning }
        world.wait(seconds: 1)
        print("\(camera.activeCamera?.localizedName ?? "no camera"), \(camera.cameraCount) camera(s)")

        let tap = screen.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 160, y: 300))
        camera.focus(at: tap)
        camera.expose(at: tap)
        world.wait(seconds: 1)
        print(String(format: "focused and exposed at %.2f, %.2f of the camera", tap.x, tap.y))

        camera.flashMode = .auto
        camera.captureStillImage()
        try world.wait(for: "the photo") { thumbnail.value != nil || user.error != nil }
        try user.check()
        try copyLastAsset(.image, to: "photo.jpg", in: world)

        thumbnail.value = nil
        camera.resetFocusAndExposureModes()
        camera.startRecording()
        world.wait(seconds: seconds)
        try world.write(screen.renderedImage(scale: 2), to: "screen.png")
        print(String(format: "recorded %.2f s", camera.recordedDuration.seconds))
        camera.stopRecording()
        try world.wait(for: "the movie") { thumbnail.value != nil || user.error != nil }
        try user.check()
        try copyLastAsset(.video, to: "movie.mov", in: world)
        try world.write(thumbnail.value?.cgImage, to: "thumbnail.png")

        if camera.switchCameras() {
            world.wait(seconds: 0.5)
            print("switched to \(camera.activeCamera?.localizedName ?? "no camera")")
        } else {
            print("there is no other camera")
        }
        camera.stopSession()
        try world.wait(for: "the stop") { !camera.session.isRunning }
        try user.check()
        print("photo.jpg, movie.mov, its thumbnail.png and screen.png are in \(folder).")
    }

    /// Copies the newest photo or movie of the library.
    private func copyLastAsset(_ type: PHAssetMediaType, to name: String, in world: DemoWorld) throws {
        guard let asset = PHAsset.fetchAssets(with: type, options: nil).lastObject,
            let resource = PHAssetResource.assetResources(for: asset).first
        else { throw DemoFailure("\(name): the library has no asset") }
        let end = DemoResult<Result<Void, any Error>>()
        PHAssetResourceManager.default().writeData(for: resource, toFile: world.url(of: name), options: nil) { error in
            end.value = error.map { .failure($0) } ?? .success(())
        }
        try world.wait(for: name) { end.value != nil }
        try end.value?.get()
        print("saved \(asset.pixelWidth) x \(asset.pixelHeight): \(name)")
    }
}

/// Who uses the app, and sees its errors.
private final class KameraUser: CameraControllerDelegate {
    private(set) var error: (any Error)?

    func deviceConfigurationFailed(with error: any Error) { self.error = error }
    func mediaCaptureFailed(with error: any Error) { self.error = error }
    func assetLibraryWriteFailed(with error: any Error) { self.error = error }

    /// Throws the last error.
    func check() throws {
        if let error { throw error }
    }
}
