import AVFoundation
import CaptureHAL
import CaptureTesting
import XCTest

@testable import Recorders

/// The camera screen with one of the recorders, in a simulated world.
final class RecordersApp {
    enum Kind: CaseIterable {
        case dataOutputs
        case movieFile
    }

    /// The lines that an app has logged; thread-safe.
    final class Log: @unchecked Sendable {
        // SAFETY: behind the lock.
        private let lock = NSLock()
        private var stored: [String] = []

        var lines: [String] { lock.withLock { stored } }
        func append(_ line: String) { lock.withLock { stored.append(line) } }
    }

    let kind: Kind
    let simulated: SimulatedSystem
    let controller: CameraController
    let log = Log()
    var folder: URL { simulated.folder.appendingPathComponent("shortVideo") }

    /// Creates an app and its world, in which the phone is held with the home button at the right.
    init(
        _ kind: Kind, profile: String = "phone", scene: SimScene = .grey, preset: AVCaptureSession.Preset = .cif352x288,
        authorization: [ProtectedResource: AuthorizationState] = [:], answers: [ProtectedResource: PromptAnswer] = [:],
        readsMetadata: Bool = false
    ) throws {
        self.kind = kind
        simulated = try SimulatedSystem(
            profile: profile, scene: scene, sound: .tone, orientation: .landscapeLeft, authorization: authorization,
            answers: answers)
        let log = log
        let recorder: any Recorder =
            switch kind {
            case .dataOutputs: DataOutputRecorder(log: { log.append($0) })
            case .movieFile: MovieFileRecorder()
            }
        controller = CameraController(
            recorder: recorder, metadataReader: readsMetadata ? MetadataReader() : nil, preset: preset,
            movieFolder: MovieFolder(url: simulated.folder.appendingPathComponent("shortVideo"))
        ) { log.append($0) }
    }

    /// Creates an app with the data outputs and a recorder that is set up in another way.
    ///
    /// - Parameter makeRecorder: Creates the recorder in the app's world.
    static func withRecorder(
        scene: SimScene = .grey, _ makeRecorder: @escaping (Log) -> any Recorder
    ) throws -> RecordersApp {
        let simulated = try SimulatedSystem(scene: scene, sound: .tone, orientation: .landscapeLeft)
        return RecordersApp(simulated, makeRecorder)
    }

    private init(_ simulated: SimulatedSystem, _ makeRecorder: (Log) -> any Recorder) {
        kind = .dataOutputs
        self.simulated = simulated
        let log = log
        controller = CameraController(
            recorder: makeRecorder(log), preset: .cif352x288,
            movieFolder: MovieFolder(url: simulated.folder.appendingPathComponent("shortVideo"))
        ) { log.append($0) }
    }

    var advance: (Duration) -> Void { simulated.advance(by:) }

    /// Starts the session and waits until it runs.
    func start(file: StaticString = #filePath, line: UInt = #line) {
        controller.start()
        simulated.advance(until: { self.controller.isRunning })
        XCTAssertTrue(controller.isRunning, "\(kind): \(log.lines)", file: file, line: line)
        // The stabilization of the movie output looks ahead: its first pictures arrive later.
        simulated.advance(by: kind == .movieFile ? .milliseconds(1200) : .milliseconds(200))
    }

    /// Stops the recording and opens the finished movie.
    func finish(file: StaticString = #filePath, line: UInt = #line) throws -> MovieFile {
        controller.stopRecording()
        simulated.advance(until: { !self.controller.isRecording })
        simulated.advance(by: .milliseconds(500))
        let url = try XCTUnwrap(controller.lastMovie, "\(kind): \(log.lines)", file: file, line: line)
        return try MovieFile(url)
    }

    /// Records for a duration and opens the finished movie.
    func record(_ duration: Duration, file: StaticString = #filePath, line: UInt = #line) throws -> MovieFile {
        controller.startRecording()
        simulated.advance(by: duration)
        return try finish(file: file, line: line)
    }
}

/// A test case whose stories are run with each recorder.
class RecordersTestCase: XCTestCase {
    /// Runs a story with each recorder, in a world of its own.
    func forEachRecorder(_ story: (RecordersApp.Kind) throws -> Void) throws {
        for kind in RecordersApp.Kind.allCases { try story(kind) }
    }
}
