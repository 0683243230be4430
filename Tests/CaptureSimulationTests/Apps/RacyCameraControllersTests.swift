import CaptureHAL
import CaptureTesting
import MediaTypes
import Photos
import XCTest

@testable import RacyCameraControllers

/// Tests apps with races between queues or tasks. The apps behave correctly if work runs in the order of submission,
/// and fail in some other orders.
final class RacyCameraControllersTests: XCTestCase {
    /// A use of an app, which fails in some orders of work unless `isFixed` is true. Returns the failure, or nil.
    typealias Use = (_ simulated: SimulatedSystem, _ isFixed: Bool) -> String?

    /// The cameras are switched, and at the same time the button of the torch is pressed.
    static func turnOnTheTorchWhileSwitching(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let controller = TorchController(isFixed: isFixed)
        controller.start()
        simulated.advance(by: .milliseconds(200))
        controller.switchCamera()
        controller.turnOnTorch()
        simulated.advance(by: .milliseconds(200))
        controller.stop()
        simulated.advance(by: .milliseconds(1))
        return simulated.dequeueMisuses().first?.message
    }

    /// The camera is stopped, and at the same time a photo is taken.
    static func takeAPhotoWhileStopping(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let camera = BoothCamera()
        let booth = PhotoBooth(camera, isFixed: isFixed)
        let isStarted = Lock(false)
        let hasResult = Lock(false)
        Task {
            try await camera.start()
            isStarted.withLock { $0 = true }
        }
        simulated.advance(until: { isStarted.withLock { $0 } })
        simulated.advance(by: .milliseconds(200))
        Task { await camera.stop() }
        Task {
            // A photo and an error are both correct results; a missing result is not.
            _ = try? await booth.takePhoto()
            hasResult.withLock { $0 = true }
        }
        simulated.advance(by: .seconds(1))
        let message = simulated.dequeueMisuses().first?.message
        return message ?? (hasResult.withLock { $0 } ? nil : "the photo has no result")
    }

    /// The screen appears, and at the same time the app becomes active: both start the camera.
    static func startTwice(_ simulated: SimulatedSystem, isFixed: Bool) -> String? {
        let starter = CameraStarter(isFixed: isFixed)
        let screen = CameraScreen(starter)
        screen.didAppear()
        screen.appDidBecomeActive()
        simulated.advance(by: .milliseconds(500))
        let isRunning = starter.session.isRunning
        Task { await starter.stop() }
        simulated.advance(by: .milliseconds(1))
        return simulated.dequeueMisuses().first?.message ?? (isRunning ? nil : "the session does not run")
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func explore(_ seeds: Range<UInt64>, isFixed: Bool, _ use: Use) throws {
        func create(_ interleaving: SimulatedSystem.Interleaving) throws -> SimulatedSystem {
            try SimulatedSystem(scene: .grey, interleaving: interleaving)
        }
        try SimulatedSystem.explore(seeds: seeds, with: create) { simulated in
            if let failure = use(simulated, isFixed) { throw Failure(description: failure) }
        }
    }

    /// Returns the failure of the first seed of a range with which a use fails; nil if there is none.
    private static func firstFailure(in seeds: Range<UInt64>, _ use: Use) throws -> ExplorationFailure? {
        do {
            try explore(seeds, isFixed: false, use)
            return nil
        } catch let failure as ExplorationFailure {
            return failure
        }
    }

    /// Asserts that a race is found in at least 90 % of the ranges of seeds, that the found seeds reproduce it, and
    /// that the fixed code does not fail.
    ///
    /// `OBSCURA_SEEDS=all` explores ten ranges of 200 seeds, and 2,000 seeds of the fixed code. The default is one
    /// range, and 20 seeds of the fixed code.
    private func check(_ use: Use, file: StaticString = #filePath, line: UInt = #line) throws {
        for isFixed in [false, true] {
            let simulated = try SimulatedSystem(scene: .grey)
            XCTAssertNil(use(simulated, isFixed), "in the order of submission", file: file, line: line)
            simulated.close()
        }
        let isComplete = ProcessInfo.processInfo.environment["OBSCURA_SEEDS"] == "all"
        let starts: [UInt64] = isComplete ? Array(stride(from: 0, to: 2_000, by: 200)) : [0]
        let ranges: [Range<UInt64>] = starts.map { $0..<$0 + 200 }
        let failures = try ranges.compactMap { try Self.firstFailure(in: $0, use) }
        XCTAssertGreaterThanOrEqual(failures.count * 10, ranges.count * 9, file: file, line: line)
        for failure in failures {
            for _ in 0..<3 {
                let repeated = try Self.firstFailure(in: failure.seed..<failure.seed + 1, use)
                XCTAssertEqual(repeated?.reason, failure.reason, file: file, line: line)
            }
        }
        let seeds: Range<UInt64> = 0..<(isComplete ? 2_000 : 20)
        XCTAssertNoThrow(try Self.explore(seeds, isFixed: true, use), file: file, line: line)
    }

    func testTheRaceOfTorchAndSwitchIsFoundAndFixed() throws {
        try check { Self.turnOnTheTorchWhileSwitching($0, isFixed: $1) }
    }

    func testTheRaceOfPhotoAndStopIsFoundAndFixed() throws {
        try check { Self.takeAPhotoWhileStopping($0, isFixed: $1) }
    }

    func testTheRaceOfTwoStartsIsFoundAndFixed() throws {
        try check { Self.startTwice($0, isFixed: $1) }
    }
}
