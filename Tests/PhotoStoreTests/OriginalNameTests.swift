import Foundation
import XCTest

@testable import PhotoStore

final class OriginalNameTests: XCTestCase {
    /// The last second of 2025 in UTC.
    private let date = Date(timeIntervalSince1970: 1_767_225_599)

    private func path(_ name: String, _ kind: MediaKind = .jpeg) -> String {
        OriginalName(name, created: date, kind: kind).path()
    }

    func testFilesKeepTheirNamesInFoldersOfYearAndMonth() {
        XCTAssertEqual(path("IMG_0001.HEIC", .heic), "2025/12/IMG_0001.HEIC")
        XCTAssertEqual(path("DSCN0815.JPG"), "2025/12/DSCN0815.JPG")
        XCTAssertEqual(path("Sommer am Müggelsee (3).jpeg"), "2025/12/Sommer am Müggelsee (3).jpeg")
        let later = OriginalName("a.mov", created: date.addingTimeInterval(1), kind: .quickTime)
        XCTAssertEqual(later.path(), "2026/01/a.mov")
    }

    func testNamesThatFileSystemsOrTheLibraryCannotUseAreChanged() {
        XCTAssertEqual(path("../../etc/passwd"), "2025/12/_.._etc_passwd.jpg")
        XCTAssertEqual(path(".hidden.jpg"), "2025/12/hidden.jpg")
        XCTAssertEqual(path("a%2Fb:c\n.jpg"), "2025/12/a_2Fb_c_.jpg")
        XCTAssertEqual(path(""), "2025/12/IMG.jpg")
        XCTAssertEqual(path("..."), "2025/12/IMG.jpg")
        XCTAssertEqual(path("movie", .mpeg4), "2025/12/movie.mp4")
        for name in [String(repeating: "ä", count: 200) + ".jpg", String(repeating: "a", count: 300)] {
            let path = path(name)
            XCTAssertLessThanOrEqual(path.utf8.count, 140, path)
            XCTAssertTrue(path.hasSuffix(".jpg"), path)
        }
    }

    func testNamesInUseGetANumber() throws {
        let name = OriginalName("IMG_0001.JPG", created: date, kind: .jpeg)
        XCTAssertEqual(name.unusedPath(from: 7) { _ in false }, "2025/12/IMG_0001.JPG")
        let used = ["2025/12/IMG_0001.JPG", "2025/12/IMG_0001~7.JPG"]
        XCTAssertEqual(name.unusedPath(from: 7, isUsed: used.contains), "2025/12/IMG_0001~8.JPG")
    }

    func testAnEditIsBesideItsOriginal() {
        let edit = OriginalName(editOf: "2025/12/IMG_0001.HEIC", number: 9, fileExtension: "plist")
        XCTAssertEqual(edit.path(), "2025/12/IMG_0001-edit-9.plist")
        XCTAssertEqual(OriginalName(editOf: "A-1.jpg", number: 9, fileExtension: "jpg").path(), "A-1-edit-9.jpg")
    }

    func testNamesOutsideOfTheFolderAreInvalid() {
        for name in ["2025/12/a.jpg", "a.jpg"] { XCTAssertTrue(OriginalName.isValid(name), name) }
        for name in ["", "/a", "../a", "2025/../a", "2025//a", "a/"] {
            XCTAssertFalse(OriginalName.isValid(name), name)
        }
    }
}
