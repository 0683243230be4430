import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class LibraryIndexTests: PhotoLibraryTestCase {
    func testConcurrentOpeningCreatesTheIndexOnce() throws {
        for round in 0..<20 {
            let path = folder.appendingPathComponent("index\(round).sqlite")
            let errors = Lock<[PHPhotosError]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do throws(PHPhotosError) {
                    let index = try LibraryIndex(at: path)
                    let isReserved = try index.reserve("\(number)")
                    XCTAssertTrue(isReserved)
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
            XCTAssertEqual(errors.withLock { $0.map(\.description) }, [])
        }
    }

    func testAnIdentifierCanBeReservedOnlyOnce() throws {
        let path = folder.appendingPathComponent("index.sqlite")
        let (one, other) = (try LibraryIndex(at: path), try LibraryIndex(at: path))
        XCTAssertTrue(try one.reserve("a"))
        XCTAssertFalse(try other.reserve("a"))
        try other.write { try LibraryIndex.release(["a"], $0) }
        XCTAssertTrue(try one.reserve("a"))
    }
}
