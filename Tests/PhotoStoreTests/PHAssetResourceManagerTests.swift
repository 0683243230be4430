import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHAssetResourceManagerTests: PhotoLibraryTestCase {
    private func write(_ resource: PHAssetResource, to url: URL) -> PHPhotosError.Code? {
        let code = Lock<PHPhotosError.Code?>(nil)
        PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil) { error in
            code.withLock { $0 = (error as? PHPhotosError)?.code }
        }
        return code.withLock { $0 }
    }

    func testAResourceIsWrittenCompletelyAndDoesNotReplaceAFile() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        try save(photo, in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        let url = folder.appendingPathComponent("export.jpg")
        XCTAssertNil(write(resource, to: url))
        XCTAssertEqual(try Data(contentsOf: url), photo)
        try Data("mine".utf8).write(to: url)
        XCTAssertNotNil(write(resource, to: url))
        XCTAssertEqual(try Data(contentsOf: url), Data("mine".utf8))
    }

    func testAFailedWriteLeavesNoIncompleteFile() throws {
        let photo = try makeJPEG()
        try save(photo, in: makeSystem())
        var operation = 0
        var isWithoutFault = false
        while !isWithoutFault {
            operation += 1
            let storage = SimStorage()
            let system = makeSystem(storage: storage)
            let asset = try XCTUnwrap(assets(in: system).first)
            let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
            let earlierOperationCount = storage.operations.count
            storage.inject(.cut(keepingByteCount: 10, .diskFull), atOperation: earlierOperationCount + operation)
            let url = folder.appendingPathComponent("export-\(operation).jpg")
            let code = write(resource, to: url)
            isWithoutFault = storage.operations.count < earlierOperationCount + operation
            XCTAssertEqual(code, isWithoutFault ? nil : .notEnoughSpace)
            XCTAssertEqual(FileManager.default.fileExists(atPath: url.path), isWithoutFault)
            let temporaryFiles = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix(".")
            }
            XCTAssertEqual(temporaryFiles, [])
        }
        XCTAssertGreaterThan(operation, 4)
    }
}
