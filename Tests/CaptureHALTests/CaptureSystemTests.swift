import Foundation
import XCTest

@testable import CaptureHAL

final class CaptureSystemTests: XCTestCase {
    func testTheEnvironmentSelectsTheFolderOfThePhotoLibrary() {
        func path(_ environment: [String: String]) -> String { CaptureSystem.photoLibraryURL(in: environment).path }
        XCTAssertEqual(path(["XDG_DATA_HOME": "/data", "HOME": "/home/ann"]), "/data/obscura/library")
        XCTAssertEqual(path(["HOME": "/home/ann"]), "/home/ann/.local/share/obscura/library")
        // Empty and relative paths count as unset.
        XCTAssertEqual(path(["XDG_DATA_HOME": "", "HOME": "/home/ann"]), "/home/ann/.local/share/obscura/library")
        XCTAssertEqual(path(["XDG_DATA_HOME": "data", "HOME": "/home/ann"]), "/home/ann/.local/share/obscura/library")
        let home = NSHomeDirectory()
        XCTAssertEqual(path([:]), "\(home)/.local/share/obscura/library")
        XCTAssertEqual(path(["HOME": "ann"]), "\(home)/.local/share/obscura/library")
    }
}
