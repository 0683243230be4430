import CaptureHAL
import Foundation
import MediaStorage
import XCTest

@testable import CaptureScenarios

final class ScenarioLibraryTests: XCTestCase {
    func testAProgramWithoutAPhotoLibraryRejectsInitialAssetsAndLogsActions() throws {
        let log = EventLog(clock: SimClock())
        let library = MissingLibrary(log: log)
        XCTAssertThrowsError(
            try library.fill(Scenario.Library(), storage: SimStorage(over: DiskStorage()), filesIn: nil)
        ) { XCTAssertTrue("\($0)".contains("PhotoLibrary"), "\($0)") }
        library.createAsset(from: URL(fileURLWithPath: "/clip.mov"), album: nil)
        library.fetchAssets()
        XCTAssertTrue(library.contents().assets.isEmpty)
        XCTAssertEqual(log.lines.count, 2)
        XCTAssertTrue(log.lines[0].contains("cannot create the asset clip.mov: the program has no photo library"))
    }

    func testThePhotoLibraryIsInstalledInAProgramThatLinksIt() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        let system = CaptureSystem(hosts: [], clock: SimClock(), photoLibraryURL: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = ScenarioLibraries.library(of: system, log: EventLog(clock: SimClock()))
        XCTAssertFalse(library is MissingLibrary)
    }
}
