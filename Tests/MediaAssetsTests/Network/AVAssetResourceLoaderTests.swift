import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVAssetResourceLoaderTests: XCTestCase {
    /// A delegate that responds with data on a private queue, refuses, fails, or does not respond.
    private final class Delegate: AVAssetResourceLoaderDelegate {
        enum Response {
            case data(Data)
            case refused
            case failure(any Error)
            case noResponse
        }

        let response: Lock<Response>
        let ranges = Lock<[Range<Int64>]>([], order: .client)
        let cancelled = Lock<[AVAssetResourceLoadingRequest]>([], order: .client)
        let requestReceived = DispatchSemaphore(value: 0)
        let cancellationReceived = DispatchSemaphore(value: 0)
        private let worker = DispatchQueue(label: "worker")

        init(_ response: Response) { self.response = Lock(response, order: .client) }

        func resourceLoader(
            _ resourceLoader: AVAssetResourceLoader,
            shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
        ) -> Bool {
            dispatchPrecondition(condition: .onQueue(resourceLoader.delegateQueue ?? .main))
            let data: Data
            switch response.withLock({ $0 }) {
            case .data(let value): data = value
            case .refused: return false
            case .failure(let error):
                loadingRequest.finishLoading(with: error)
                return true
            case .noResponse:
                requestReceived.signal()
                return true
            }
            worker.async { [self] in
                if let information = loadingRequest.contentInformationRequest {
                    information.contentType = "com.apple.quicktime-movie"
                    information.contentLength = Int64(data.count)
                    information.isByteRangeAccessSupported = true
                }
                if let request = loadingRequest.dataRequest {
                    let start = Int(request.requestedOffset)
                    ranges.withLock {
                        $0.append(request.requestedOffset..<request.requestedOffset + Int64(request.requestedLength))
                    }
                    let end = start + request.requestedLength
                    let middle = (start + end) / 2
                    request.respond(with: data[start..<middle])
                    XCTAssertEqual(request.currentOffset, Int64(middle))
                    request.respond(with: data[middle..<end])
                }
                loadingRequest.finishLoading()
                XCTAssertTrue(loadingRequest.isFinished)
            }
            return true
        }

        func resourceLoader(
            _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
        ) {
            cancelled.withLock { $0.append(loadingRequest) }
            cancellationReceived.signal()
        }
    }

    private let queue = DispatchQueue(label: "delegate")
    private let url = URL(string: "vault://movies/a.mov") ?? URL(fileURLWithPath: "/")

    private func makeAsset(_ fixture: AssetWriterFixture, _ delegate: Delegate?) -> AVURLAsset {
        let asset = fixture.system.run { AVURLAsset(url: url) }
        if let delegate { asset.resourceLoader.setDelegate(delegate, queue: queue) }
        return asset
    }

    func testTheDelegateProvidesTheMovie() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: nil)
        let data = try Data(contentsOf: fixture.url("a.mov"))
        let delegate = Delegate(.data(data))
        let asset = makeAsset(fixture, delegate)
        XCTAssertEqual(try asset.samples(.video, [:]).map(\.counter), (0..<30).map { UInt32($0) })
        let ranges = delegate.ranges.withLock { $0 }
        XCTAssertEqual(ranges.first, 0..<2, "the request for the content information includes two bytes")
        XCTAssertTrue(ranges.allSatisfy { $0.upperBound <= Int64(data.count) })
        XCTAssertEqual(Set(ranges.dropFirst()).count, ranges.count - 1, "nothing is requested twice")
    }

    func testLoadingFailsIfTheDelegateRefusesOrFails() throws {
        let fixture = try AssetWriterFixture()
        let refusing = Delegate(.refused)
        XCTAssertThrowsError(try makeAsset(fixture, refusing).loadValues()) {
            XCTAssertEqual(($0 as? AVError)?.code, .failedToLoadMediaData)
        }
        let failing = Delegate(.failure(CocoaError(.fileNoSuchFile)))
        XCTAssertThrowsError(try makeAsset(fixture, failing).loadValues()) { error in
            XCTAssertEqual((error as? AVError)?.code, .failedToLoadMediaData)
            XCTAssertTrue("\((error as? AVError)?.errorDescription ?? "")".contains(url.absoluteString), "\(error)")
        }
    }

    func testCancellingEndsAPendingRequest() throws {
        let fixture = try AssetWriterFixture()
        let delegate = Delegate(.noResponse)
        let asset = makeAsset(fixture, delegate)
        let failure = Lock<AVError?>(nil, order: .client)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try asset.loadValues() } catch { failure.withLock { $0 = error as? AVError } }
            ended.signal()
        }
        delegate.requestReceived.wait()
        asset.cancelLoading()
        ended.wait()
        delegate.cancellationReceived.wait()
        XCTAssertEqual(failure.withLock { $0?.code }, .operationCancelled)
        let requests = delegate.cancelled.withLock { $0 }
        XCTAssertEqual(requests.map(\.isCancelled), [true])
        XCTAssertEqual(requests.map(\.isFinished), [false])
        XCTAssertEqual(requests.first?.request.url, url)
        XCTAssertEqual(requests.first?.request.value(forHTTPHeaderField: "range"), "bytes=0-1")
    }

    func testTheDelegateRedirectsToAFileOrServer() throws {
        final class Redirecting: AVAssetResourceLoaderDelegate {
            let target: URL
            init(_ target: URL) { self.target = target }
            func resourceLoader(
                _ resourceLoader: AVAssetResourceLoader,
                shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
            ) -> Bool {
                loadingRequest.redirect = AVAssetResourceLoadingRequest.Request(url: target)
                loadingRequest.finishLoading()
                return true
            }
        }
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: nil)
        let server = try LoopbackServer()
        addTeardownBlock { server.stop() }
        server.serve(try Data(contentsOf: fixture.url("a.mov")), at: "/b.mov")
        for target in [fixture.url("a.mov"), server.url("/b.mov")] {
            let delegate = Redirecting(target)
            let asset = makeAsset(fixture, nil)
            asset.resourceLoader.setDelegate(delegate, queue: queue)
            XCTAssertEqual(try asset.samples(.video, [:]).count, 30, "\(target)")
        }
        let delegate = Redirecting(url)
        let asset = makeAsset(fixture, nil)
        asset.resourceLoader.setDelegate(delegate, queue: queue)
        XCTAssertThrowsError(try asset.loadValues()) {
            XCTAssertEqual(($0 as? AVError)?.code, .failedToLoadMediaData)
        }
    }

    func testACustomSchemeWithoutADelegateIsAnError() throws {
        let fixture = try AssetWriterFixture()
        XCTAssertThrowsError(try makeAsset(fixture, nil).loadValues()) {
            XCTAssertEqual(($0 as? AVError)?.code, .operationNotSupportedForAsset)
        }
    }

    func testADelegateThatDoesNotSupportByteRangesIsAnError() throws {
        final class Incomplete: AVAssetResourceLoaderDelegate {
            func resourceLoader(
                _ resourceLoader: AVAssetResourceLoader,
                shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
            ) -> Bool {
                loadingRequest.contentInformationRequest?.contentLength = 100
                loadingRequest.finishLoading()
                return true
            }
        }
        let fixture = try AssetWriterFixture()
        let delegate = Incomplete()
        let asset = makeAsset(fixture, nil)
        asset.resourceLoader.setDelegate(delegate, queue: queue)
        XCTAssertThrowsError(try asset.loadValues()) {
            XCTAssertEqual(($0 as? AVError)?.code, .serverIncorrectlyConfigured)
        }
    }
}
