import Foundation
import MediaCodecs
import XCTest

@testable import CaptureTesting

/// Tests requirements of faces in pictures.
final class PictureDetectorTests: XCTestCase {
    private func picture(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/Media/\(name)").standardizedFileURL
    }

    private func messages(_ name: String, _ requirement: PictureRequirement) -> [String] {
        PictureCheck(requirements: [requirement], file: #filePath, line: #line).failures { picture(name) }.messages
    }

    override func tearDown() { try? FileManager.default.removeItem(at: TestReport.pictureFolder) }

    func testTheFacesOfAPhotoAreCounted() throws {
        if let reason = FaceDetector.unavailabilityReason {
            throw XCTSkip("\(reason): run Sources/Detectors/build, and set OBSCURA_DETECTORS to its folder")
        }
        XCTAssertPicture(picture("face.jpg"), .faces(1...1), .codes())
        let failures = messages("face.jpg", .faces(2...3))
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().hasPrefix("expected faces 2 to 3, seen: faces 1"), failures.joined())
    }

    func testFacesWithoutTheDetectorFailWithTheReason() throws {
        guard let reason = FaceDetector.unavailabilityReason else { throw XCTSkip("the detector is installed") }
        let failures = messages("face.jpg", .faces(0...0))
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().contains("faces cannot be found: \(reason)"), failures.joined())
    }
}
