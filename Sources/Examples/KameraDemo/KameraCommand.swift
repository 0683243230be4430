import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import Kamera
import UIKit

/// Operates the camera app by taps on its screen.
@main
struct KameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kamera", abstract: "Takes a photo and a movie with the camera app, by taps on its screen.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera.")

    @Option(
        help: ArgumentHelp(
            "Use the app, and write photo.jpg, movie.mov, thumbnail.png and images of the screen to this folder.",
            valueName: "folder"))
    var demo: String?

    @Flag(help: "Use the still image output and the assets library, as the book that the app follows does.")
    var classic = false

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run { try MainActor.assumeIsolated { try Self.show(in: demo, isClassic: classic) } }
    }

    private static let portrait = CGSize(width: 390, height: 844)
    private static let landscape = CGSize(width: 844, height: 390)

    @MainActor
    private static func show(in folder: String, isClassic: Bool) throws {
        let world = try DemoWorld(
            folder: folder,
            results: [
                "screen.png", "screen-photo.png", "screen-landscape.png", "photo.jpg", "movie.mov", "thumbnail.png",
            ]
        ) { try SimulatedSystem(scene: .street) }
        let app = KameraApp(isClassic ? .classic() : .modern(), in: world)
        app.appear(size: portrait)
        world.wait(seconds: 1)

        // Focus at a point slightly to the right of the center.
        app.tap(at: CGPoint(x: 240, y: 360))
        world.wait(seconds: 0.45)
        try app.draw("screen.png")
        print("camera: \(app.camera.activeCamera?.localizedName ?? "none"), focused")

        app.selectPhoto()
        app.tap(app.overlay.shutterButton)
        try world.wait(for: "the photo") { app.overlay.thumbnail != nil }
        try app.draw("screen-photo.png")
        print("the photo is in the library")

        world.simulated?.system.orientation.rotate(to: .landscapeLeft)
        app.appear(size: landscape)
        app.selectVideo()
        let photo = app.overlay.thumbnail
        app.tap(app.overlay.shutterButton)
        world.wait(seconds: 3)
        try app.draw("screen-landscape.png")
        print("recorded: \(app.overlay.elapsedTimeText ?? "")")
        app.tap(app.overlay.shutterButton)
        try world.wait(for: "the movie") { app.overlay.thumbnail !== photo }
        print("the movie is in the library")
        try app.overlay.thumbnail?.pngData()?.write(to: world.url(of: "thumbnail.png"))
        try world.exportNewest(.image, to: "photo.jpg")
        try world.exportNewest(.video, to: "movie.mov")
    }
}

/// The app with its screen.
@MainActor
private struct KameraApp {
    let camera: CameraController
    let controller: CameraViewController
    private let world: DemoWorld

    init(_ camera: CameraController, in world: DemoWorld) {
        (self.camera, self.world) = (camera, world)
        controller = CameraViewController(camera: camera)
    }

    var overlay: OverlayView { controller.overlayView }

    /// Shows the screen with a size.
    func appear(size: CGSize) {
        controller.view.frame = CGRect(origin: .zero, size: size)
        guard !camera.session.isRunning else { return controller.view.layoutIfNeeded() }
        controller.beginAppearanceTransition(true, animated: false)
        controller.endAppearanceTransition()
    }

    func tap(at point: CGPoint) { controller.view.tap(at: point) }

    /// Taps the middle of a view.
    func tap(_ view: UIView) { tap(view, x: 0.5, y: 0.5) }

    /// Selects a mode by a tap that works for both layouts: modes side by side, or one above the other.
    func selectVideo() { tap(overlay.modeControl, x: 0.25, y: 0.25) }
    func selectPhoto() { tap(overlay.modeControl, x: 0.75, y: 0.75) }

    private func tap(_ view: UIView, x: CGFloat, y: CGFloat) {
        let point = CGPoint(x: view.bounds.width * x, y: view.bounds.height * y)
        tap(at: view.convert(point, to: controller.view))
    }

    /// Draws the screen as a PNG file, two pixels per point.
    func draw(_ name: String) throws {
        guard let view = controller.view else { return }
        let format = UIGraphicsImageRendererFormat()
        format.scale = 2
        let data = UIGraphicsImageRenderer(bounds: view.bounds, format: format).pngData { _ in
            view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
        }
        try data.write(to: world.url(of: name))
    }
}
