import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVMetadataItemValueRequestTests: XCTestCase {
    private struct Failure: Error {}

    private let source: AVMetadataItem = {
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        return item
    }()

    func testTheValueIsRequestedOnceAndOnDemand() async throws {
        let requests = Lock(0)
        let item = AVMetadataItem(propertiesOf: source) { request in
            requests.withLock { $0 += 1 }
            request.respond(value: "Title" as NSString)
            request.respond(error: Failure())
        }
        XCTAssertEqual(item.identifier, .commonIdentifierTitle)
        XCTAssertEqual(item.status(of: .stringValue), .notYetLoaded)
        XCTAssertEqual(requests.withLock { $0 }, 0)
        let title = try await item.load(.stringValue)
        XCTAssertEqual(title, "Title")
        XCTAssertEqual(item.stringValue, "Title")
        XCTAssertEqual(item.status(of: .stringValue), .loaded("Title"))
        XCTAssertEqual(requests.withLock { $0 }, 1)
    }

    func testLoadingWaitsForALateResponse() async throws {
        let pending = Lock<AVMetadataItemValueRequest?>(nil)
        let item = AVMetadataItem(propertiesOf: source) { request in pending.withLock { $0 = request } }
        let loaded = expectation(description: "the value is loaded")
        item.loadValuesAsynchronously(forKeys: ["value"]) { loaded.fulfill() }
        XCTAssertEqual(item.status(of: .numberValue), .loading)
        XCTAssertNil(item.value)
        let request = try XCTUnwrap(pending.withLock { $0 })
        XCTAssertTrue(request.metadataItem === item)
        async let number = item.load(.numberValue)
        request.respond(value: NSNumber(value: 5))
        let result = try await number
        XCTAssertEqual(result, 5)
        await fulfillment(of: [loaded], timeout: 10)
    }

    func testAFailureIsThrown() async {
        let item = AVMetadataItem(propertiesOf: source) { $0.respond(error: Failure()) }
        do {
            _ = try await item.load(.value)
            XCTFail("no error")
        } catch {
            XCTAssertTrue(error is Failure)
        }
        XCTAssertNil(item.value)
        XCTAssertEqual(item.statusOfValue(forKey: "value", error: nil), .failed)
    }
}
