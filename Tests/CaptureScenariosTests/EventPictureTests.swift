import Foundation
import XCTest

@testable import CaptureScenarios

final class EventPictureTests: XCTestCase {
    /// The folder of the recorded movie `street-3s.avi`.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Media")

    /// Returns the pictures of a log without frames of a video output.
    private func pictures(of lines: [String]) -> [EventPicture] {
        EventPictures().pictures(of: LogEntry.parse(lines), in: Self.folder)
    }

    func testPicturesBeforeAndAfterAPauseAreTheFramesOfTheMovieAtThatTime() {
        let continuous = pictures(of: [
            "0.000000 recording did start street-3s.avi", "0.500000 zoom 1", "1.000000 zoom 2", "1.500000 zoom 3",
            "2.000000 recording did finish street-3s.avi without an error",
        ])
        XCTAssertEqual(Set(continuous.map(\.jpeg)).count, 5, "all frames differ")
        let paused = pictures(of: [
            "0.000000 recording did start street-3s.avi", "0.500000 zoom 1",
            "1.000000 recording did pause street-3s.avi", "4.000000 recording did resume street-3s.avi",
            "4.500000 zoom 3", "5.000000 recording did finish street-3s.avi without an error",
        ])
        XCTAssertEqual(paused.map(\.time), [0, 0.5, 4, 4.5, 5])
        XCTAssertEqual(paused.map(\.jpeg), continuous.map(\.jpeg))
    }

    /// Creates a folder with copies of a file.
    private func folder(withCopiesOf file: String, named names: [String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        for name in names {
            try FileManager.default.copyItem(
                at: Self.folder.appendingPathComponent(file), to: folder.appendingPathComponent(name))
        }
        return folder
    }

    func testARecordingAfterOneThatFinishedWhilePausedHasPictures() {
        let pictures = pictures(of: [
            "0.000000 recording did start street-3s.avi", "0.500000 recording did pause street-3s.avi",
            "1.000000 recording did finish street-3s.avi without an error",
            "2.000000 recording did start street-3s.avi", "2.500000 zoom 1",
            "3.000000 recording did finish street-3s.avi without an error",
        ])
        XCTAssertEqual(pictures.map(\.time), [0, 2, 2.5, 3])
    }
}
