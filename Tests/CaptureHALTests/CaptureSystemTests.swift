import Foundation
import XCTest

@testable import CaptureHAL

final class CaptureSystemTests: XCTestCase {
    func testASystemThatBootstrapSetsDuringTheCreationOfTheDefaultOneIsKept() {
        let process = ProcessSystem()
        let own = CaptureSystem(hosts: [], clock: HostClock.shared)
        process.setFactory { _ throws(DeviceError) in
            try process.bootstrap(own)
            return CaptureSystem(hosts: [], clock: HostClock.shared)
        }
        XCTAssertTrue(process.system() === own)
        XCTAssertTrue(process.system() === own)
        XCTAssertThrowsError(try process.bootstrap(CaptureSystem(hosts: [], clock: HostClock.shared)))
    }

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
