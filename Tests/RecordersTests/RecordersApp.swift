import AVFoundation
import CaptureHAL
import CaptureTesting
import ExampleTestSupport
import TestSupport
import XCTest

@testable import Recorders

/// The camera screen with one of the recorders, in a simulated system.
final class RecordersApp {
    enum Kind: CaseIterable {
        case dataOutputs
        case movieFile

        fileprivate func makeRecorder(_ log: Events<String>) -> any Recorder {
            switch self {
            case .dataOutputs: DataOutputRecorder(log: { log.add($0) })
            case .movieFile: MovieFileRecorder()
            }
        }
    }

    let kind: Kind
    let simulated: SimulatedSystem
    let controller: CameraController
    /// The lines that the app has logged.
    let log = Events<String>()
    /// The folder of the movies; it does not exist at first.
    var folder: URL { simulated.folder.appendingPathComponent("shortVideo") }

    /// Creates an app and its system, in which the phone is held with the home button at the right.
    ///
    /// - Parameter makeRecorder: Creates the recorder in the app's system; nil for the recorder of `kind`.
    init(
        _ kind: Kind = .dataOutputs, profile: String = "phone", scene: SimScene = .grey,
        preset: AVCaptureSession.Preset = .cif352x288,
        authorization: [ProtectedResource: AuthorizationState] = [:], answers: [ProtectedResource: PromptAnswer] = [:],
        readsMetadata: Bool = false, makeRecorder: ((Events<String>) -> any Recorder)? = nil
    ) throws {
        self.kind = kind
        simulated = try SimulatedSystem(
            profile: profile, scene: scene, sound: .tone, orientation: .landscapeLeft, authorization: authorization,
            answers: answers)
        let log = log
        controller = CameraController(
            recorder: makeRecorder?(log) ?? kind.makeRecorder(log),
            metadataReader: readsMetadata ? MetadataReader() : nil, preset: preset,
            movieFolder: MovieFolder(url: simulated.folder.appendingPathComponent("shortVideo"))
        ) { log.add($0) }
    }

    var advance: (Duration) -> Void { simulated.advance(by:) }

    /// Starts the session and waits until it runs.
    func start(file: StaticString = #filePath, line: UInt = #line) {
        controller.start()
        simulated.advance(until: { self.controller.isRunning })
        XCTAssertTrue(controller.isRunning, "\(kind): \(log.all)", file: file, line: line)
        // The stabilization of the movie output looks ahead: its first frames arrive later.
        simulated.advance(by: kind == .movieFile ? .milliseconds(1200) : .milliseconds(200))
    }

    /// Stops the recording and opens the finished movie.
    func finish(file: StaticString = #filePath, line: UInt = #line) throws -> MovieFile {
        controller.stopRecording()
        simulated.advance(until: { !self.controller.isRecording })
        simulated.advance(by: .milliseconds(500))
        let url = try XCTUnwrap(controller.lastMovie, "\(kind): \(log.all)", file: file, line: line)
        return try MovieFile(url)
    }

    /// Records for a duration and opens the finished movie.
    func record(_ duration: Duration, file: StaticString = #filePath, line: UInt = #line) throws -> MovieFile {
        controller.startRecording()
        simulated.advance(by: duration)
        return try finish(file: file, line: line)
    }
}

/// Calls a test with each kind of recorder.
func forEachRecorder(_ test: (RecordersApp.Kind) throws -> Void) throws {
    for kind in RecordersApp.Kind.allCases { try test(kind) }
}
