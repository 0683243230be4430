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

    func testAMovieWhoseNameHasSpacesHasPictures() throws {
        let lines = [
            "0.000000 recording did start my street.avi", "0.500000 recording did pause my street.avi",
            "1.500000 recording did resume my street.avi", "2.000000 zoom 1",
            "2.500000 recording did finish my street.avi without an error",
        ]
        let folder = try folder(withCopiesOf: "street-3s.avi", named: ["my street.avi"])
        let pictures = EventPictures().pictures(of: LogEntry.parse(lines), in: folder)
        XCTAssertEqual(pictures.map(\.time), [0, 1.5, 2, 2.5])
        XCTAssertEqual(Set(pictures.map(\.source)), ["frame of my street.avi"])
    }

    func testEachOfTwoSimultaneousRecordingsHasPictures() throws {
        let lines = [
            "0.000000 recording did start a.avi", "0.500000 recording did start b.avi", "1.000000 zoom 1",
            "1.500000 recording did finish a.avi without an error",
            "2.000000 recording did finish b.avi without an error",
        ]
        let folder = try folder(withCopiesOf: "street-3s.avi", named: ["a.avi", "b.avi"])
        let pictures = EventPictures().pictures(of: LogEntry.parse(lines), in: folder)
        XCTAssertEqual(pictures.filter { $0.source == "frame of a.avi" }.map(\.time), [0, 0.5, 1, 1.5])
        XCTAssertEqual(pictures.filter { $0.source == "frame of b.avi" }.map(\.time), [0.5, 1, 1.5, 2])
    }

    func testAPhotoWhoseNameHasSpacesAndAPhotoWithDepthHavePictures() throws {
        let folder = try folder(withCopiesOf: "face.jpg", named: ["my photo.jpg", "b.jpg"])
        let lines = [
            "0.500000 photo will begin", "1.000000 photo my photo.jpg", "1.500000 photo did finish",
            "2.000000 photo b.jpg with depth 320x240 0123456789abcdef",
        ]
        let pictures = EventPictures().pictures(of: LogEntry.parse(lines), in: folder)
        XCTAssertEqual(pictures.map(\.time), [1, 2])
        XCTAssertEqual(pictures.map(\.source), ["photo", "photo"])
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
