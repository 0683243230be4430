import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import XCTest

@testable import PhotoStore

/// Tests proxies, whose photos the library finishes.
final class PhotoProxyTests: PhotoLibraryTestCase {
    private func add(_ data: Data, as type: PHAssetResourceType, in system: CaptureSystem) throws -> PHAsset {
        let result = Lock<(Bool, (any Error)?)>((false, nil))
        system.run {
            PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: type, data: data, options: nil)
            } completionHandler: { success, error in
                result.withLock { $0 = (success, error) }
            }
        }
        XCTAssertTrue(result.withLock { $0.0 }, "\(String(describing: result.withLock { $0.1 }))")
        return try XCTUnwrap(assets(in: system).last)
    }

    private final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver {
        let changes = Lock<[PHChange]>([])

        func photoLibraryDidChange(_ changeInstance: PHChange) { changes.withLock { $0.append(changeInstance) } }
    }

    private func makeProxy() throws -> Data {
        DeferredPhotoFile.join(try makeJPEG(width: 32, height: 24), try makeJPEG())
    }

    private func resources(of asset: PHAsset) -> [PHAssetResource] { PHAssetResource.assetResources(for: asset) }

    private func thumbnailWidth(_ asset: PHAsset) throws -> Int {
        let file = try Data(contentsOf: libraryURL.appendingPathComponent("thumbnails/\(asset.thumbnailName)"))
        return try XCTUnwrap(PhotoFile(file)).size().width
    }

    func testTheLibraryFinishesThePhotoOfAProxyAfterItsImport() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        XCTAssertTrue(
            PHAssetCreationRequest.supportsAssetResourceTypes([
                NSNumber(value: PHAssetResourceType.photoProxy.rawValue),
                NSNumber(value: PHAssetResourceType.pairedVideo.rawValue),
            ]))
        let proxy = try add(makeProxy(), as: .photoProxy, in: system)
        XCTAssertEqual([proxy.pixelWidth, proxy.pixelHeight], [32, 24])
        XCTAssertEqual(resources(of: proxy).map(\.type), [.photoProxy])
        XCTAssertEqual(try thumbnailWidth(proxy), 32)
        let observer = RecordingObserver()
        system.run { PHPhotoLibrary.shared() }.register(observer)

        clock.advance(by: .milliseconds(999))
        XCTAssertEqual(try XCTUnwrap(assets(in: system).first).pixelWidth, 32)
        clock.advance(by: .milliseconds(1))
        let photo = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual([photo.pixelWidth, photo.pixelHeight], [64, 48])
        XCTAssertEqual(try thumbnailWidth(photo), 64)
        let resource = try XCTUnwrap(resources(of: photo).first)
        XCTAssertEqual(resource.type, .photo)
        XCTAssertEqual(resource.uniformTypeIdentifier, "public.jpeg")
        XCTAssertEqual(resource.originalFilename, resources(of: proxy).first?.originalFilename)
        XCTAssertEqual(try original(of: photo), try makeJPEG())
        XCTAssertEqual(try libraryFiles().count, 2, "the file of the proxy is removed")
        XCTAssertTrue(try system.run { try PHPhotoLibrary.shared().differences() }.isEmpty)
        let change = try XCTUnwrap(observer.changes.withLock { $0.first })
        XCTAssertEqual(change.changeDetails(for: proxy)?.assetContentChanged, true)
        XCTAssertEqual(observer.changes.withLock { $0.count }, 1)
        XCTAssertNil(clock.nextActionTime, "nothing is left to finish")
    }

    func testProxiesAreFinishedOneAfterTheOther() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        for _ in 0..<3 { _ = try add(makeProxy(), as: .photoProxy, in: system) }
        for count in 0...3 {
            XCTAssertEqual(assets(in: system).filter { $0.pixelWidth == 64 }.count, count)
            clock.advance(by: .seconds(1))
        }
    }

    func testAProxyOfAnEndedProcessIsFinishedAfterTheNextChange() throws {
        _ = try add(makeProxy(), as: .photoProxy, in: makeSystem())
        let files = try libraryFiles()
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        XCTAssertEqual(try XCTUnwrap(assets(in: system).first).pixelWidth, 32)
        clock.advance(by: .seconds(5))
        XCTAssertEqual(try libraryFiles(), files, "reading changes nothing")
        try save(makeJPEG(), in: system)
        clock.advance(by: .seconds(1))
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [64, 64])
    }

    func testAProxyInRecentlyDeletedIsFinishedAfterItIsRestored() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        let proxy = try add(makeProxy(), as: .photoProxy, in: system)
        func change(_ block: @escaping () -> Void) throws {
            try system.run { try PHPhotoLibrary.shared().performChangesAndWait(block) }
        }
        try change { PHAssetChangeRequest.deleteAssets([proxy]) }
        clock.advance(by: .seconds(5))
        try change { PHAssetChangeRequest.restoreAssets(withLocalIdentifiers: [proxy.localIdentifier]) }
        XCTAssertEqual(try XCTUnwrap(assets(in: system).first).pixelWidth, 32)
        clock.advance(by: .seconds(1))
        XCTAssertEqual(try XCTUnwrap(assets(in: system).first).pixelWidth, 64)
    }

    func testAnEditOfAProxyRemains() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        let proxy = try add(makeProxy(), as: .photoProxy, in: system)
        let output = PHContentEditingOutput(
            contentEditingInput: try PHContentEditingInput(proxy, canHandle: { _ in false }))
        output.adjustmentData = PHAdjustmentData(formatIdentifier: "test", formatVersion: "1", data: Data([1]))
        try makeJPEG(width: 16, height: 16).write(to: output.renderedContentURL)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: proxy).contentEditingOutput = output
            }
        }
        clock.advance(by: .seconds(1))
        let edited = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual([edited.pixelWidth, edited.pixelHeight], [16, 16])
        XCTAssertEqual(try thumbnailWidth(edited), 16)
        XCTAssertEqual(resources(of: edited).map(\.type), [.photo, .fullSizePhoto, .adjustmentData])
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: edited).revertAssetContentToOriginal()
            }
        }
        XCTAssertEqual(try XCTUnwrap(assets(in: system).first).pixelWidth, 64)
    }

    func testADamagedProxyRemainsAndOthersAreFinished() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        let damaged = try add(makeProxy(), as: .photoProxy, in: system)
        let original = try XCTUnwrap(libraryFiles().first { $0.hasPrefix("originals/") })
        let url = libraryURL.appendingPathComponent(original)
        try Data(contentsOf: url).dropLast(1).write(to: url)
        _ = try add(makeProxy(), as: .photoProxy, in: system)
        clock.advance(by: .seconds(10))
        XCTAssertEqual(assets(in: system).map(\.pixelWidth), [32, 64])
        XCTAssertEqual(resources(of: damaged).map(\.type), [.photoProxy])
        XCTAssertNil(clock.nextActionTime, "the library does not try again and again")
    }

    /// A fault at the 1st, 2nd, … operation while a photo is finished: the asset has its proxy or its photo, and the
    /// next opening finishes it.
    func testAFaultLeavesTheProxyOrThePhoto() throws {
        for fault in [SimStorage.Fault.fail(.inputOutput), .cut(keepingByteCount: 10, .diskFull), .powerLoss] {
            var operation = 0
            var isWithoutFault = false
            while !isWithoutFault {
                operation += 1
                XCTAssertLessThan(operation, 100)
                let context = "\(fault) at operation \(operation)"
                if FileManager.default.fileExists(atPath: libraryURL.path) {
                    try FileManager.default.removeItem(at: libraryURL)
                }
                let (clock, storage) = (SimClock(), SimStorage())
                let system = makeSystem(clock: clock, storage: storage)
                _ = try add(makeProxy(), as: .photoProxy, in: system)
                let imported = storage.operations.count
                storage.inject(fault, atOperation: imported + operation)
                clock.advance(by: .seconds(3))
                isWithoutFault = storage.operations.count < imported + operation

                let nextClock = SimClock()
                let next = makeSystem(clock: nextClock)
                let asset = try XCTUnwrap(assets(in: next).first, context)
                let isFinished = asset.pixelWidth == 64
                XCTAssertEqual(resources(of: asset).map(\.type), [isFinished ? .photo : .photoProxy], context)
                XCTAssertEqual(try self.original(of: asset), isFinished ? try makeJPEG() : try makeProxy(), context)
                if isWithoutFault { XCTAssertTrue(isFinished, context) }
                try next.run { try PHPhotoLibrary.shared().performChangesAndWait {} }
                nextClock.advance(by: .seconds(3))
                XCTAssertEqual(try XCTUnwrap(assets(in: next).first).pixelWidth, 64, context)
                XCTAssertEqual(try libraryFiles().count, 2, context)
                XCTAssertTrue(try next.run { try PHPhotoLibrary.shared().differences() }.isEmpty, context)
            }
            XCTAssertGreaterThan(operation, 5)
        }
    }

    func testAProxyThatIsSavedAsAPhotoRemainsSmall() throws {
        let proxy = DeferredPhotoFile.join(
            try makeJPEG(width: 32, height: 24), try makeJPEG(width: 64, height: 48))
        XCTAssertEqual(try add(proxy, as: .photo, in: makeSystem()).pixelWidth, 32)
    }

    func testAProxyWithoutAnotherPhotoIsThePhoto() throws {
        XCTAssertEqual(try add(makeJPEG(), as: .photoProxy, in: makeSystem()).pixelWidth, 64)
    }
}
