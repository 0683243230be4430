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

    func testReadersSeeASnapshotAndDoNotWaitForAWriter() throws {
        let index = try LibraryIndex(at: folder.appendingPathComponent("index.sqlite"))
        func reservations(_ database: SQLiteConnection) throws -> [String] {
            try database.values("SELECT localIdentifier FROM reservation ORDER BY localIdentifier")
        }
        try index.write { database in
            try database.execute("INSERT INTO reservation (localIdentifier) VALUES ('a')")
            XCTAssertEqual(try index.read(reservations), [])
        }
        try index.read { database in
            XCTAssertEqual(try reservations(database), ["a"])
            XCTAssertTrue(try index.reserve("b"))
            XCTAssertEqual(try reservations(database), ["a"])
            XCTAssertEqual(try index.read(reservations), ["a", "b"])
        }
        XCTAssertEqual(try index.read(reservations), ["a", "b"])
    }

    func testThreadsReadAndWriteConcurrently() throws {
        let index = try LibraryIndex(at: folder.appendingPathComponent("index.sqlite"))
        let errors = Lock<[PHPhotosError]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do throws(PHPhotosError) {
                for number in 0..<20 {
                    let identifier = "\(thread)-\(number)"
                    _ = try index.reserve(identifier)
                    let found: [String] = try index.read { database in
                        try database.values("SELECT * FROM reservation WHERE localIdentifier = ?", [identifier])
                    }
                    XCTAssertEqual(found, [identifier])
                }
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        XCTAssertEqual(errors.withLock { $0.map(\.description) }, [])
    }
}
