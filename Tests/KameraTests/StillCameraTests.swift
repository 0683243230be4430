import Foundation
import TestSupport
import XCTest

@testable import Kamera

final class StillCameraTests: XCTestCase {
    func testAPhotoWithoutAConnectionFailsAndCallsItsCompletionHandlerOnce() throws {
        let app = try KameraApp(.classic)
        let results = Events<Result<Data, any Error>>()
        let camera = StillImageCamera()
        camera.takePhoto { results.add($0) }
        app.advance(milliseconds: 100)
        XCTAssertEqual(results.count, 1)
        XCTAssertThrowsError(try results.last?.get())
    }
}
