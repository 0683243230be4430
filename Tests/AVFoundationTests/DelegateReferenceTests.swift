import AVFoundation
import CaptureTesting
import CoreLocation
import Photos
import PhotosUI
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
        PHPhotoLibraryChangeObserver, PHPhotoLibraryAvailabilityObserver, AVAssetReaderCaptionValidationHandling,
        AVVideoCompositionValidationHandling, KeyPathObserver, @unchecked Sendable
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
        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {}
    }

    private final class ViewDelegate: NSObject, UIApplicationDelegate, UIGestureRecognizerDelegate,
        PHPickerViewControllerDelegate
    {
        func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {}
    }

    /// The members that a test has checked.
    private var checked: Set<String> = []

    /// Checks whether a member retains an object that the client has released.
    ///
    /// - Parameters:
    ///   - member: The member in the table.
    ///   - owner: The object with the member.
    ///   - make: Creates the object and passes it to the member.
    private func check<Owner: AnyObject>(
        _ member: String, _ owner: Owner, _ make: (Owner) throws -> AnyObject, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        weak var released: AnyObject?
        do {
            let object = try make(owner)
            released = object
        }
        let isRetained = withExtendedLifetime(owner) { released != nil }
        let reference = try XCTUnwrap(Self.table()[member], member, file: file, line: line)
        XCTAssertEqual(isRetained, reference == "retained", member, file: file, line: line)
        checked.insert(member)
    }

    /// Checks whether a member retains a delegate.
    private func check<Owner: AnyObject>(
        _ member: String, _ owner: Owner, file: StaticString = #filePath, line: UInt = #line,
        set: (Owner, Delegate) throws -> Void
    ) throws {
        try check(
            member, owner,
            {
                let delegate = Delegate()
                try set($0, delegate)
                return delegate
            }, file: file, line: line)
    }

    private let queue = DispatchQueue(label: "delegate")

    private func checkCapture(_ simulated: SimulatedSystem) throws {
        try check("AVCaptureVideoDataOutput.setSampleBufferDelegate", AVCaptureVideoDataOutput()) {
            $0.setSampleBufferDelegate($1, queue: queue)
        }
        try check("AVCaptureAudioDataOutput.setSampleBufferDelegate", AVCaptureAudioDataOutput()) {
            $0.setSampleBufferDelegate($1, queue: queue)
        }
        try check("AVCaptureMetadataOutput.setMetadataObjectsDelegate", AVCaptureMetadataOutput()) {
            $0.setMetadataObjectsDelegate($1, queue: queue)
        }
        try check("AVCaptureDepthDataOutput.setDelegate", AVCaptureDepthDataOutput()) {
            $0.setDelegate($1, callbackQueue: queue)
        }
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [AVCaptureVideoDataOutput()])
        try check("AVCaptureDataOutputSynchronizer.setDelegate", synchronizer) { $0.setDelegate($1, queue: queue) }
        try check("AVCaptureFileOutput.delegate", AVCaptureMovieFileOutput()) { $0.delegate = $1 }
        let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: AVCapturePhotoOutput())
        try check("AVCapturePhotoOutputReadinessCoordinator.delegate", coordinator) { $0.delegate = $1 }
        try check("AVCaptureSession.setControlsDelegate", AVCaptureSession()) {
            $0.setControlsDelegate($1, queue: queue)
        }
        try check("AVCaptureSession.setDeferredStartDelegate", AVCaptureSession()) {
            $0.setDeferredStartDelegate($1, deferredStartDelegateCallbackQueue: queue)
        }
        try check("AVCaptureTimecodeGenerator.setDelegate", AVCaptureTimecodeGenerator()) {
            $0.setDelegate($1, queue: queue)
        }
        try check("KeyValueObserving.addObserver", AVCaptureSession()) {
            $0.addObserver($1, forKeyPath: "running", context: nil)
        }
        // The class itself is the owner.
        try check("AVCaptureDevice.addObserver", NSObject()) {
            AVCaptureDevice.addObserver($1, forKeyPath: "systemPreferredCamera", context: nil)
        }
        try checkRecordings(simulated)
    }

    /// Checks the members that take a delegate for one recording or photo of a running session.
    private func checkRecordings(_ simulated: SimulatedSystem) throws {
        func url(_ name: String) -> URL { simulated.folder.appendingPathComponent(name) }
        let (photo, movie, audio) = (
            AVCapturePhotoOutput(), AVCaptureMovieFileOutput(), AVCaptureAudioFileOutput()
        )
        let session = AVCaptureSession()
        for type in [AVMediaType.video, .audio] {
            session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: type))))
        }
        for output in [photo, movie, audio] { session.addOutput(output) }
        session.startRunning()
        try check("AVCapturePhotoOutput.capturePhoto", photo) { $0.capturePhoto(with: .init(), delegate: $1) }
        try check("AVCaptureMovieFileOutput.startRecording", movie) {
            $0.startRecording(to: url("a.mov"), recordingDelegate: $1)
        }
        try check("AVCaptureFileOutput.startRecording", movie as AVCaptureFileOutput) {
            $0.startRecording(to: url("b.mov"), recordingDelegate: $1)
        }
        try check("AVCaptureAudioFileOutput.startRecording", audio) {
            $0.startRecording(to: url("a.m4a"), outputFileType: .m4a, recordingDelegate: $1)
        }
        withExtendedLifetime(session) {}
    }

    private func checkMedia() throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: "/a.mov"))
        try check("AVAssetResourceLoader.setDelegate", asset.resourceLoader) { $0.setDelegate($1, queue: queue) }
        try check("AVAssetWriter.delegate", AVAssetWriter(contentType: .mpeg4Movie)) { $0.delegate = $1 }
        try check("AVPlayerItemLegibleOutput.setDelegate", AVPlayerItemLegibleOutput()) {
            $0.setDelegate($1, queue: queue)
        }
        try check("AVPlayerItemMetadataOutput.setDelegate", AVPlayerItemMetadataOutput(identifiers: nil)) {
            $0.setDelegate($1, queue: queue)
        }
        try check("AVPlayerItemVideoOutput.setDelegate", AVPlayerItemVideoOutput(pixelBufferAttributes: nil)) {
            $0.setDelegate($1, queue: queue)
        }
        let composition = AVMutableComposition()
        let track = try XCTUnwrap(composition.addMutableTrack(withMediaType: .text, preferredTrackID: 1))
        let captions = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutput.CaptionAdaptor(assetReaderTrackOutput: captions)
        try check("AVAssetReaderOutput.CaptionAdaptor.validationDelegate", adaptor) { $0.validationDelegate = $1 }
        try check("AVVideoComposition.isValid", AVMutableVideoComposition()) {
            _ = $0.isValid(
                for: composition, timeRange: CMTimeRange(start: .zero, duration: .positiveInfinity),
                validationDelegate: $1)
        }
        let second = CMTime(value: 1, timescale: 1)
        try check("AVPlayer.addPeriodicTimeObserver", AVPlayer()) { player -> AnyObject in
            player.addPeriodicTimeObserver(forInterval: second, queue: nil) { _ in } as AnyObject
        }
        try check("AVPlayer.addBoundaryTimeObserver", AVPlayer()) { player -> AnyObject in
            player.addBoundaryTimeObserver(forTimes: [NSValue(time: second)], queue: nil) {} as AnyObject
        }
        try check("PHPhotoLibrary.register", PHPhotoLibrary.shared()) {
            $0.register($1 as any PHPhotoLibraryChangeObserver)
            $0.register($1 as any PHPhotoLibraryAvailabilityObserver)
        }
    }

    @MainActor
    private func checkViews() throws {
        try check("CALayer.delegate", CALayer()) { $0.delegate = $1 }
        try check("CAAnimation.delegate", CABasicAnimation(keyPath: "opacity")) { $0.delegate = $1 }
        try check("CLLocationManager.delegate", CLLocationManager()) { $0.delegate = $1 }
        try check("UIApplication.delegate", UIApplication.shared) { application -> AnyObject in
            let delegate = ViewDelegate()
            application.delegate = delegate
            return delegate
        }
        try check("UIGestureRecognizer.delegate", UITapGestureRecognizer()) { recognizer -> AnyObject in
            let delegate = ViewDelegate()
            recognizer.delegate = delegate
            return delegate
        }
        let picker = PHPickerViewController(configuration: PHPickerConfiguration())
        try check("PHPickerViewController.delegate", picker) { picker -> AnyObject in
            let delegate = ViewDelegate()
            picker.delegate = delegate
            return delegate
        }
    }

    @MainActor
    func testMembersReferenceTheirDelegatesAsTheTableSays() throws {
        let simulated = try SimulatedSystem(profile: "phone")
        try simulated.run {
            try checkCapture(simulated)
            try checkMedia()
            try checkViews()
        }
        simulated.advance(by: .seconds(1))
        let misuses = simulated.misuses.map(\.message)
        XCTAssertEqual(misuses.count, 1, "\(misuses)")
        // The track of the caption adaptor has no text.
        XCTAssertTrue(misuses.allSatisfy { $0.contains("initWithAssetReaderTrackOutput") }, "\(misuses)")
        let members = try Self.table().filter { $0.value != "unsupported" }.keys
        XCTAssertEqual(Set(members).subtracting(checked).sorted(), [], "a member of the table has no check")
    }

    /// The table, by member: `weak`, `retained`, `during the call` or `unsupported`.
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

    /// Returns the members in a source file that take a delegate, a data source or an observer, as `Type.member`.
    private static func members(in text: String) -> Set<String> {
        let lines = text.components(separatedBy: "\n")
        var members: Set<String> = []
        var (type, nested) = ("", "")
        for (index, line) in lines.enumerated() {
            if let match = line.firstMatch(of: /^([\w@() ]*)\b(?:class|extension|struct|enum|protocol) ([A-Z]\w*)/) {
                if line.hasPrefix(" ") {
                    nested = "\(type).\(match.2)"
                } else {
                    (type, nested) = (String(match.2), "")
                }
            }
            guard line.contains("public ") || line.contains("open ") else { continue }
            let indent = line.prefix { $0 == " " }
            guard let match = line.firstMatch(of: /^ +(?:@[\w()]+ )*(?:public|open)\b[^\n]*?\b(func|var) (\w+)/) else {
                continue
            }
            let (isProperty, name) = (match.1 == "var", String(match.2))
            // The members that end a reference hold nothing.
            if name.hasPrefix("remove") || name.hasPrefix("unregister") { continue }
            let rest = lines[index...]
            let declaration =
                isProperty ? line : rest.prefix { !$0.isEmpty && $0 != "\(indent)}" }.joined(separator: " ")
            let signature = declaration.prefix { $0 != "{" }
            let takes = /any \w*(?:Delegate|Observer|Handling|DataSource)\b/
            guard signature.contains(takes) || name.wholeMatch(of: /add\w+Observer/) != nil else { continue }
            // A property that a method sets only returns the object.
            let body = rest.dropFirst().prefix { $0 != "\(indent)}" }
            let isSettable = !line.contains("{") || line.hasSuffix("{") && body.contains { $0.contains("set {") }
            if isProperty, !isSettable { continue }
            members.insert("\(indent.count > 4 ? nested : type).\(name)")
        }
        return members
    }

    func testTheTableContainsEachMemberThatTakesADelegate() throws {
        let sources = Self.root.appendingPathComponent("Sources")
        let files = try XCTUnwrap(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var members: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            guard !file.path.contains("/Sources/Examples/"), !file.path.contains("Testing") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let names = ["Delegate", "Observer", "Handling", "DataSource"]
            guard names.contains(where: { text.range(of: $0) != nil }) else { continue }
            members.formUnion(Self.members(in: text))
        }
        let listed = try Set(Self.table().keys)
        XCTAssertEqual(members.subtracting(listed).sorted(), [], "the table of docs/compatibility.md lacks them")
        XCTAssertEqual(listed.subtracting(members).sorted(), [], "the table of docs/compatibility.md has too many")
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
