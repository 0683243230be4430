import AVFoundation
import CaptureHAL
import CaptureTesting
import Kamera
import Photos
import TestSupport
import UIKit
import XCTest

/// The camera app in a simulated world.
final class KameraApp: CameraControllerDelegate {
    enum Kind: CaseIterable {
        case classic
        case modern
    }

    let simulated: SimulatedSystem
    let controller: CameraController
    let log = Events<String>()
    let errors = Events<String>()
    let thumbnails = Events<UIImage>()
    private var observer: (any NSObjectProtocol)?

    init(
        _ kind: Kind = .modern, profile: String = "phone", scene: SimScene = .grey,
        orientation: DeviceOrientation = .portrait, authorization: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], freeByteCount: Int64? = nil,
        makeLibrary: (() -> any MediaLibrary)? = nil
    ) throws {
        simulated = try SimulatedSystem(
            profile: profile, scene: scene, sound: .tone, orientation: orientation, authorization: authorization,
            answers: answers, freeByteCount: freeByteCount)
        let log = log
        let write: (String) -> Void = { log.add($0) }
        if let makeLibrary {
            controller = CameraController(stillCamera: PhotoCamera(), library: makeLibrary(), log: write)
        } else {
            controller = kind == .classic ? .classic(log: write) : .modern(log: write)
        }
        controller.delegate = self
        let thumbnails = thumbnails
        observer = NotificationCenter.default.addObserver(forName: .thumbnailCreated, object: nil, queue: nil) {
            XCTAssertTrue(Thread.isMainThread)
            if let image = $0.object as? UIImage { thumbnails.add(image) }
        }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    func deviceConfigurationFailed(with error: any Error) { add("device", error) }
    func mediaCaptureFailed(with error: any Error) { add("capture", error) }
    func assetLibraryWriteFailed(with error: any Error) { add("library", error) }

    private func add(_ kind: String, _ error: any Error) {
        XCTAssertTrue(Thread.isMainThread)
        errors.add("\(kind) \((error as NSError).code)")
    }

    /// Sets up and starts the session with small frames, which take less time.
    func start() throws {
        try controller.setupSession()
        controller.session.sessionPreset = .vga640x480
        controller.startSession()
        simulated.advance(until: { self.controller.session.isRunning })
        simulated.advance(by: .milliseconds(300))
    }

    func advance(milliseconds: Int) { simulated.advance(by: .milliseconds(milliseconds)) }

    /// Records a movie and waits until it is saved or an error is reported.
    func record(milliseconds: Int) {
        let count = thumbnails.count + errors.count + log.count
        controller.startRecording()
        advance(milliseconds: milliseconds)
        controller.stopRecording()
        simulated.advance(until: { self.thumbnails.count + self.errors.count + self.log.count > count })
        advance(milliseconds: 100)
    }

    var camera: AVCaptureDevice { get throws { try XCTUnwrap(controller.activeCamera) } }

    /// The files of the library's assets, the oldest first.
    func libraryFiles(_ type: PHAssetMediaType, file: StaticString = #filePath, line: UInt = #line) throws -> [URL] {
        let assets = PHAsset.fetchAssets(with: type, options: nil)
        return try (0..<assets.count).map { index in
            let resource = try XCTUnwrap(PHAssetResource.assetResources(for: assets.object(at: index)).first)
            let url = simulated.folder.appendingPathComponent("\(index).\(type == .video ? "mov" : "jpg")")
            try? FileManager.default.removeItem(at: url)
            let finished = Events<(any Error)?>()
            PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil) { finished.add($0) }
            XCTAssertTrue(simulated.advance(until: { finished.count == 1 }), file: file, line: line)
            return url
        }
    }
}

/// Runs a test with each version of the app. Each test creates its own simulated system.
func forEachKind(_ test: (KameraApp.Kind) throws -> Void) throws {
    for kind in KameraApp.Kind.allCases { try test(kind) }
}
