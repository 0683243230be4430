import AVFoundation
import CaptureTesting
import CoreLocation
import Photos
import UIKit
import XCTest

/// Tests that each member that takes a delegate or an observer references it as on Apple's systems. The table in
/// `docs/compatibility.md` lists these members.
final class DelegateReferenceTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// An object that is a delegate of each kind.
    private final class Delegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
        AVCaptureAudioDataOutputSampleBufferDelegate, AVCaptureMetadataOutputObjectsDelegate,
        AVCaptureDepthDataOutputDelegate, AVCaptureDataOutputSynchronizerDelegate, AVCapturePhotoCaptureDelegate,
        AVCapturePhotoOutputReadinessCoordinatorDelegate, AVCaptureFileOutputDelegate,
        AVCaptureFileOutputRecordingDelegate, AVCaptureSessionControlsDelegate,
        AVCaptureSessionDeferredStartDelegate, AVCaptureTimecodeGeneratorDelegate, AVAssetResourceLoaderDelegate,
        AVAssetWriterDelegate, AVPlayerItemLegibleOutputPushDelegate, AVPlayerItemMetadataOutputPushDelegate,
        AVPlayerItemOutputPullDelegate, CALayerDelegate, CAAnimationDelegate, CLLocationManagerDelegate,
        PHPhotoLibraryChangeObserver,
        PHPhotoLibraryAvailabilityObserver, @unchecked Sendable
    {
        // SAFETY: no state.
        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {}
        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer,
            didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {}
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
        func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool { false }
        func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator, didReceiveUpdate timecode: AVCaptureTimecode,
            from source: AVCaptureTimecode.Source
        ) {}
        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator,
            transitionedTo synchronizationStatus: AVCaptureTimecodeGenerator.SynchronizationStatus,
            for source: AVCaptureTimecode.Source
        ) {}
        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator,
            didUpdateAvailableSources availableSources: [AVCaptureTimecode.Source]
        ) {}
        func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {}
        func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {}
        func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {}
        func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {}
        func sessionWillRunDeferredStart(_ session: AVCaptureSession) {}
        func sessionDidRunDeferredStart(_ session: AVCaptureSession) {}
        func photoLibraryDidChange(_ changeInstance: PHChange) {}
        func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {}
    }

    private final class ViewDelegate: NSObject, UIApplicationDelegate, UIGestureRecognizerDelegate {}

    /// Whether a delegate that `set` passes to an object exists after the client has released it.
    private func retains<Client: AnyObject>(
        _ makeDelegate: () -> Client, _ set: (Client) throws -> AnyObject
    ) rethrows -> Bool {
        weak var released: Client?
        var delegate: Client? = makeDelegate()
        released = delegate
        let owner = try delegate.map(set)
        delegate = nil
        return withExtendedLifetime(owner) { released != nil }
    }

    private func retains(_ set: (Delegate) throws -> AnyObject) rethrows -> Bool {
        try retains({ Delegate() }, set)
    }

    @MainActor
    func testMembersReferenceTheirDelegatesAsTheTableSays() throws {
        let simulated = try SimulatedSystem(profile: "phone")
        let references: [(String, Bool)] = try simulated.run {
            let queue = DispatchQueue(label: "delegate")
            return [
                (
                    "AVCaptureVideoDataOutput",
                    retains { delegate in
                        let output = AVCaptureVideoDataOutput()
                        output.setSampleBufferDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "AVCaptureAudioDataOutput",
                    retains { delegate in
                        let output = AVCaptureAudioDataOutput()
                        output.setSampleBufferDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "AVCaptureMetadataOutput",
                    retains { delegate in
                        let output = AVCaptureMetadataOutput()
                        output.setMetadataObjectsDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "AVCaptureDepthDataOutput",
                    retains { delegate in
                        let output = AVCaptureDepthDataOutput()
                        output.setDelegate(delegate, callbackQueue: queue)
                        return output
                    }
                ),
                (
                    "AVCaptureDataOutputSynchronizer",
                    retains { delegate in
                        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [AVCaptureVideoDataOutput()])
                        synchronizer.setDelegate(delegate, queue: queue)
                        return synchronizer
                    }
                ),
                (
                    "AVCaptureFileOutput",
                    retains { delegate in
                        let output = AVCaptureMovieFileOutput()
                        output.delegate = delegate
                        return output
                    }
                ),
                (
                    "AVCapturePhotoOutputReadinessCoordinator",
                    retains { delegate in
                        let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: AVCapturePhotoOutput())
                        coordinator.delegate = delegate
                        return coordinator
                    }
                ),
                (
                    "AVCaptureSession",
                    retains { delegate in
                        let session = AVCaptureSession()
                        session.setControlsDelegate(delegate, queue: queue)
                        session.setDeferredStartDelegate(delegate, deferredStartDelegateCallbackQueue: queue)
                        return session
                    }
                ),
                (
                    "AVCaptureTimecodeGenerator",
                    retains { delegate in
                        let generator = AVCaptureTimecodeGenerator()
                        generator.setDelegate(delegate, queue: queue)
                        return generator
                    }
                ),
                (
                    "AVAssetResourceLoader",
                    retains { delegate in
                        let asset = AVURLAsset(url: URL(fileURLWithPath: "/a.mov"))
                        asset.resourceLoader.setDelegate(delegate, queue: queue)
                        return asset
                    }
                ),
                (
                    "AVAssetWriter",
                    retains { delegate in
                        let writer = AVAssetWriter(contentType: .mpeg4Movie)
                        writer.delegate = delegate
                        return writer
                    }
                ),
                (
                    "AVPlayerItemLegibleOutput",
                    retains { delegate in
                        let output = AVPlayerItemLegibleOutput()
                        output.setDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "AVPlayerItemMetadataOutput",
                    retains { delegate in
                        let output = AVPlayerItemMetadataOutput(identifiers: nil)
                        output.setDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "AVPlayerItemVideoOutput",
                    retains { delegate in
                        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
                        output.setDelegate(delegate, queue: queue)
                        return output
                    }
                ),
                (
                    "CALayer",
                    retains { delegate in
                        let layer = CALayer()
                        layer.delegate = delegate
                        return layer
                    }
                ),
                (
                    "CAAnimation",
                    retains { delegate in
                        let animation = CABasicAnimation(keyPath: "opacity")
                        animation.delegate = delegate
                        return animation
                    }
                ),
                (
                    "CLLocationManager",
                    retains { delegate in
                        let manager = CLLocationManager()
                        manager.delegate = delegate
                        return manager
                    }
                ),
                (
                    "UIApplication",
                    retains({ ViewDelegate() }) { delegate in
                        UIApplication.shared.delegate = delegate
                        return UIApplication.shared
                    }
                ),
                (
                    "UIGestureRecognizer",
                    retains({ ViewDelegate() }) { delegate in
                        let recognizer = UITapGestureRecognizer()
                        recognizer.delegate = delegate
                        return recognizer
                    }
                ),
                (
                    "PHPhotoLibrary",
                    retains { delegate in
                        PHPhotoLibrary.shared().register(delegate as any PHPhotoLibraryChangeObserver)
                        PHPhotoLibrary.shared().register(delegate as any PHPhotoLibraryAvailabilityObserver)
                        return PHPhotoLibrary.shared()
                    }
                ),
                ("AVCapturePhotoOutput", try captures { $0.photo.capturePhoto(with: .init(), delegate: $1) }),
                (
                    "AVCaptureMovieFileOutput",
                    try captures {
                        $0.movie.startRecording(
                            to: simulated.folder.appendingPathComponent("a.mov"), recordingDelegate: $1)
                    }
                ),
            ]
        }
        let table = try Self.table()
        for (type, isRetained) in references {
            XCTAssertEqual(isRetained, try XCTUnwrap(table[type], type) == "retained", type)
        }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(simulated.misuses, [])
    }

    /// Whether the delegate that `start` passes to an output of a running session is retained.
    private func captures(
        _ start: ((photo: AVCapturePhotoOutput, movie: AVCaptureMovieFileOutput), Delegate) -> Void
    ) throws -> Bool {
        let session = AVCaptureSession()
        session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: .video))))
        let outputs = (photo: AVCapturePhotoOutput(), movie: AVCaptureMovieFileOutput())
        session.addOutput(outputs.photo)
        session.addOutput(outputs.movie)
        session.startRunning()
        return retains { delegate in
            start(outputs, delegate)
            return session
        }
    }

    /// The table, by type: `weak`, `retained`, `during the call` or `unsupported`.
    private static func table() throws -> [String: String] {
        let page = try String(contentsOf: root.appendingPathComponent("docs/compatibility.md"), encoding: .utf8)
        let section = try XCTUnwrap(page.components(separatedBy: "### Delegates and observers\n").last)
        var result: [String: String] = [:]
        for line in section.components(separatedBy: "\n### ")[0].split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[0].split(separator: ",") {
                result[name.trimmingCharacters(in: CharacterSet(charactersIn: " `"))] = cells[1]
            }
        }
        return result
    }

    func testTheTableContainsEachTypeThatTakesADelegate() throws {
        let table = try Self.table()
        let sources = Self.root.appendingPathComponent("Sources")
        let files = try XCTUnwrap(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let taking = #"any \w*(Delegate|Observer|Handling|DataSource)\b|func add\w*Observer\("#
        for case let file as URL in files where file.pathExtension == "swift" {
            guard !file.path.contains("/Sources/Examples/"), !file.path.contains("Testing") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            // A declaration ends at its body or at a blank line.
            let ends = CharacterSet(charactersIn: "{}")
            let declarations = text.replacingOccurrences(of: "\n\n", with: "}").components(separatedBy: ends)
            let takesDelegate = declarations.contains { declaration in
                guard
                    let start = declaration.range(
                        of: #"(public|open) [^\n]*(var|func|init)\b"#, options: .regularExpression)
                else { return false }
                return declaration[start.lowerBound...].range(of: taking, options: .regularExpression) != nil
            }
            guard takesDelegate else { continue }
            let name = file.deletingPathExtension().lastPathComponent
            let type = String(name.prefix { $0 != "+" })
            XCTAssertNotNil(table[type], "the table of docs/compatibility.md lacks \(type) of \(name).swift")
        }
    }

    func testAReleasedDelegateOfAPhotoIsReportedOnceAndTheSessionGoesOn() throws {
        let simulated = try SimulatedSystem(profile: "phone")
        let (session, output) = try simulated.run {
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: .video))))
            let output = AVCapturePhotoOutput()
            session.addOutput(output)
            return (session, output)
        }
        session.startRunning()
        for _ in 1...2 {
            simulated.run { output.capturePhoto(with: AVCapturePhotoSettings(), delegate: Delegate()) }
            simulated.advance(by: .seconds(1))
        }
        XCTAssertTrue(session.isRunning)
        XCTAssertEqual(simulated.misuses, [])
        let warnings = simulated.record.events.filter {
            $0.contains("the photo's delegate (Delegate) was released before")
        }
        XCTAssertEqual(warnings.count, 1, "\(simulated.record.events)")
        session.stopRunning()
    }
}
