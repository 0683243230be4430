import Foundation
import MediaTypes
import XCTest

@testable import CaptureScenarios

/// Plays each event in each state of a session.
///
/// `OBSCURA_MATRIX=all` plays all pairs. `OBSCURA_MATRIX="stop while recording"` plays the pairs with names that
/// contain this text. If the variable is not set, a sample is played, which `OBSCURA_MATRIX_SEED` selects.
final class EventMatrixTests: XCTestCase {
    private var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
    }
    /// The folder to which the profile paths of scenarios are relative.
    private var profiles: URL { root.appendingPathComponent("Fixtures/Scenarios") }

    /// The pairs to play.
    private func selection() throws -> [MatrixPair] {
        let environment = ProcessInfo.processInfo.environment
        switch environment["OBSCURA_MATRIX"] {
        case "all": return MatrixPair.all
        case let name?:
            let pairs = MatrixPair.all.filter { $0.name.contains(name) }
            XCTAssertFalse(pairs.isEmpty, "the matrix has no pair \(name)")
            return pairs
        case nil:
            var generator = SplitMix64(seed: environment["OBSCURA_MATRIX_SEED"].flatMap { UInt64($0) } ?? 1)
            return MatrixPair.all.filter { _ in generator.next() % 16 == 0 }
        }
    }

    func testEachEventInEachStateKeepsTheInvariants() throws {
        let pairs = try selection()
        var failures: [String] = []
        // The first pair opens files that stay open, such as those of libraries.
        _ = try MatrixPlayer.problems(in: pair("record event.mov while running"), profiles: profiles)
        let descriptorCount = try openDescriptorCount()
        for pair in pairs {
            do {
                let problems = try MatrixPlayer.problems(in: pair, profiles: profiles)
                guard !problems.isEmpty else { continue }
                failures.append(
                    "\(pair.name): \(problems.joined(separator: "; "))\n"
                        + "as a file in Fixtures/Scenarios for obscura replay:\n\(pair.yaml)")
            } catch {
                failures.append("\(pair.name): \(error)\n\(pair.yaml)")
            }
        }
        for failure in failures { XCTFail(failure) }
        // CI/event-matrix reads this line.
        print("event matrix: \(pairs.count) pairs, \(failures.count) failed")
        XCTAssertLessThan(try openDescriptorCount(), descriptorCount + 10, "files stay open")
    }

    private func openDescriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    func testEachPairIsTestedOrLeftOutWithAReason() throws {
        let (events, states) = (MatrixEvent.all.map(\.name), MatrixState.all.map(\.name))
        XCTAssertEqual(Set(events).count, events.count)
        XCTAssertEqual(Set(MatrixPair.all.map(\.name)).count, MatrixPair.all.count)
        let excluded = MatrixPair.exclusions.flatMap { exclusion in
            exclusion.events.flatMap { event in exclusion.states.map { "\(event) while \($0)" } }
        }
        let all = events.flatMap { event in states.map { "\(event) while \($0)" } }
        XCTAssertEqual((MatrixPair.all.map(\.name) + excluded).sorted(), all.sorted())
        let page = try String(contentsOf: root.appendingPathComponent("docs/checks.md"), encoding: .utf8)
        XCTAssertTrue(page.contains(MatrixPair.documentation), "docs/checks.md lacks:\n\(MatrixPair.documentation)")
        XCTAssertTrue(page.contains("\(MatrixPair.all.count) pairs"), "\(MatrixPair.all.count) pairs")
    }

    /// Returns a pair.
    private func pair(_ name: String) throws -> MatrixPair {
        try XCTUnwrap(MatrixPair.all.first { $0.name == name })
    }

    func testAStateThatIsNotReachedIsReported() throws {
        for name in ["rotate face-up while running", "rotate face-up while stopping"] {
            let problems = try MatrixPlayer.problems(in: pair(name), profiles: profiles) { $0.session.stopRunning() }
            XCTAssertTrue(problems.contains { $0.hasPrefix("the session does not reach the state") }, "\(problems)")
        }
    }

    func testASessionThatIsNotReleasedIsReported() throws {
        var retained: ScenarioSession?
        let problems = try MatrixPlayer.problems(in: pair("photo event.jpg while running"), profiles: profiles) {
            retained = $0
        }
        withExtendedLifetime(retained) {}
        XCTAssertTrue(problems.contains("the session AVCaptureSession is not released"), "\(problems)")
    }
}
