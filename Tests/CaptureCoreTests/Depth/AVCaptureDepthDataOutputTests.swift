import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Records the depth that a delegate receives.
private final class RecordingDepth: AVCaptureDepthDataOutputDelegate, Sendable {
    let queue = DispatchQueue(label: "test.depth")
    let depths = Lock<[(data: AVDepthData, time: CMTime)]>([])
    let drops = Lock<[(data: AVDepthData, time: CMTime, reason: AVCaptureOutput.DataDroppedReason)]>([])
    private let onDepth: @Sendable () -> Void

    init(_ onDepth: @escaping @Sendable () -> Void = {}) { self.onDepth = onDepth }

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        depths.withLock { $0.append((depthData, timestamp)) }
        onDepth()
    }

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        drops.withLock { $0.append((depthData, timestamp, reason)) }
    }

    var times: [CMTime] { depths.withLock { $0.map(\.time) } }
}

final class AVCaptureDepthDataOutputTests: XCTestCase {
    private static let trueDepth = "phone.front-true-depth"

    private func makeSession(
        _ fixture: CaptureFixture, camera: String = trueDepth, preset: AVCaptureSession.Preset = .vga640x480,
        _ outputs: [AVCaptureOutput]
    ) throws -> AVCaptureSession {
        try fixture.makeSession(camera: camera, microphone: nil, preset: preset, outputs)
    }

    func testDepthIsDeliveredWithTheTimesOfTheFrames() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, depth) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput()) }
        let (frames, depths) = (RecordingFrames(), RecordingDepth())
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        depth.setDelegate(depths, callbackQueue: depths.queue)
        XCTAssertTrue(depth.delegate === depths)
        XCTAssertTrue(depth.delegateCallbackQueue === depths.queue)
        let session = try makeSession(fixture, [video, depth])
        let connection = try XCTUnwrap(depth.connection(with: .depthData))
        XCTAssertTrue(connection.isActive)
        XCTAssertEqual(connection.inputPorts.map(\.mediaType), [.depthData])
        session.startRunning()
        fixture.advance(milliseconds: 490)
        session.stopRunning()
        XCTAssertEqual(depths.times.count, 15)
        XCTAssertEqual(depths.times, frames.frames.map(\.time))
        let data = try XCTUnwrap(depths.depths.withLock { $0.first?.data })
        XCTAssertEqual(data.depthDataType, kCVPixelFormatType_DisparityFloat16)
        XCTAssertEqual(data.depthDataAccuracy, .absolute)
        XCTAssertEqual(data.depthDataQuality, .high)
        XCTAssertTrue(data.isDepthDataFiltered)
        // The gray card is at 1 m. Filtering reduces the standard deviation of the noise from 3 mm to about 1 mm.
        let values = try DepthMap(data.depthDataMap, asDisparity: false).values
        let mean = values.reduce(0, +) / Float(values.count)
        XCTAssertEqual(mean, 1, accuracy: 0.001)
        let deviation = (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Float(values.count)).squareRoot()
        XCTAssertLessThan(deviation, 0.0012)
        XCTAssertFalse(values.contains(where: \.isNaN))
        let calibration = try XCTUnwrap(data.cameraCalibrationData)
        XCTAssertEqual(calibration.intrinsicMatrixReferenceDimensions, CGSize(width: 640, height: 480))
        XCTAssertEqual(calibration.intrinsicMatrix.columns.2, [320, 240, 1])
        fixture.assertNoMisuse()
    }

    func testDepthIsDeliveredWithoutOtherOutputsAndUnfilteredOnRequest() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .portrait)
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        XCTAssertTrue(depth.isFilteringEnabled)
        depth.isFilteringEnabled = false
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        session.startRunning()
        fixture.advance(milliseconds: 190)
        session.stopRunning()
        XCTAssertEqual(depths.times.count, 6)
        let data = try XCTUnwrap(depths.depths.withLock { $0.first?.data })
        XCTAssertFalse(data.isDepthDataFiltered)
        XCTAssertTrue(try DepthMap(data.depthDataMap, asDisparity: true).values.contains(where: \.isNaN))
    }

    func testLateDepthIsDroppedUnlessDiscardingItIsDisabled() throws {
        for discards in [true, false] {
            let fixture = try CaptureFixture(profile: "phone")
            let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
            let clock = fixture.clock
            let depths = RecordingDepth { clock.spend(.milliseconds(50)) }
            depth.setDelegate(depths, callbackQueue: depths.queue)
            XCTAssertTrue(depth.alwaysDiscardsLateDepthData)
            depth.alwaysDiscardsLateDepthData = discards
            let session = try makeSession(fixture, [depth])
            session.startRunning()
            fixture.advance(milliseconds: 490)
            session.stopRunning()
            fixture.advance(milliseconds: 1000)
            let drops = depths.drops.withLock { $0 }
            XCTAssertEqual(drops.isEmpty, !discards)
            XCTAssertEqual(depths.times.count + drops.count, 15)
            for drop in drops {
                XCTAssertEqual(drop.reason, .lateData)
                XCTAssertEqual(drop.data.depthDataType, kCVPixelFormatType_DisparityFloat16)
                XCTAssertNil(drop.data.cameraCalibrationData)
                XCTAssertTrue(try DepthMap(drop.data.depthDataMap, asDisparity: true).values.allSatisfy(\.isNaN))
            }
        }
    }

    func testDepthIsDroppedWhileAllDepthMapsAreRetained() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        depth.isFilteringEnabled = false
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        session.startRunning()
        fixture.advance(milliseconds: 990)
        session.stopRunning()
        XCTAssertEqual(depths.times.count, 16)
        XCTAssertEqual(Set(depths.drops.withLock { $0.map(\.reason) }), [.outOfBuffers])
        XCTAssertEqual(depths.times.count + depths.drops.withLock { $0.count }, 30)
    }

    func testADroppedFrameDropsItsDepth() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        session.startRunning()
        fixture.advance(milliseconds: 190)
        try fixture.host.schedule(.dropFrames(count: 2), uniqueID: Self.trueDepth, at: .time(.zero))
        fixture.advance(milliseconds: 190)
        session.stopRunning()
        XCTAssertEqual(depths.drops.withLock { $0.map(\.reason) }, [.discontinuity, .discontinuity])
        XCTAssertEqual(depths.times.count, 10)
    }

    func testTheConnectionRotatesTheMaps() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        let connection = try XCTUnwrap(depth.connection(with: .depthData))
        XCTAssertTrue(connection.isVideoRotationAngleSupported(90))
        connection.videoRotationAngle = 90
        session.startRunning()
        fixture.advance(milliseconds: 20)
        session.stopRunning()
        let data = try XCTUnwrap(depths.depths.withLock { $0.first?.data })
        XCTAssertEqual(CVPixelBufferGetWidth(data.depthDataMap), 480)
        XCTAssertEqual(CVPixelBufferGetHeight(data.depthDataMap), 640)
        XCTAssertEqual(
            data.cameraCalibrationData?.intrinsicMatrixReferenceDimensions, CGSize(width: 480, height: 640))
    }

    func testFormatsAndRatesCanBeChangedWhileTheSessionRuns() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        let device = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let small = try XCTUnwrap(
            device.activeFormat.supportedDepthDataFormats.first {
                $0.formatDescription.dimensions.pixelSize == PixelSize(width: 160, height: 120)
                    && $0.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_DepthFloat32
            })
        XCTAssertEqual(small.mediaType, .depthData)
        try device.lockForConfiguration()
        device.activeDepthDataFormat = small
        device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 10)
        device.unlockForConfiguration()
        fixture.advance(milliseconds: 20)
        depths.depths.withLock { $0 = [] }
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(depths.times.count, 10)
        let data = try XCTUnwrap(depths.depths.withLock { $0.last?.data })
        XCTAssertEqual(data.depthDataType, kCVPixelFormatType_DepthFloat32)
        XCTAssertEqual(CVPixelBufferGetWidth(data.depthDataMap), 160)
        try device.lockForConfiguration()
        device.activeDepthDataMinFrameDuration = .positiveInfinity
        depths.depths.withLock { $0 = [] }
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(depths.times.count, 0, "a rate of 0")
        device.activeDepthDataMinFrameDuration = .invalid
        XCTAssertEqual(device.activeDepthDataMinFrameDuration, CMTime(value: 1, timescale: 30))
        fixture.advance(milliseconds: 500)
        XCTAssertGreaterThan(depths.times.count, 10)
        device.activeFormat = try XCTUnwrap(
            device.formats.first { $0.formatDescription.dimensions.pixelSize == PixelSize(width: 352, height: 288) })
        device.unlockForConfiguration()
        XCTAssertNil(device.activeDepthDataFormat)
        XCTAssertFalse(try XCTUnwrap(depth.connection(with: .depthData)).isActive)
        depths.depths.withLock { $0 = [] }
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(depths.times.count, 0)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testDepthPausesWhileTheZoomIsOutsideItsRange() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, camera: "phone.back-dual-wide", [depth])
        let device = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        let range = try XCTUnwrap(device.activeFormat.supportedVideoZoomRangesForDepthDataDelivery.first)
        XCTAssertEqual(range.lowerBound, 24.0 / 13, accuracy: 1e-9)
        XCTAssertEqual(range.upperBound, 20)
        XCTAssertTrue(device.activeFormat.zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported)
        session.startRunning()
        fixture.advance(milliseconds: 300)
        XCTAssertEqual(depths.times.count, 0)
        try device.lockForConfiguration()
        device.videoZoomFactor = 3
        device.unlockForConfiguration()
        fixture.advance(milliseconds: 300)
        XCTAssertGreaterThan(depths.times.count, 7)
        session.stopRunning()
    }

    func testWithoutAuthorizationNoDepthIsDelivered() throws {
        let fixture = try CaptureFixture(profile: "phone", states: [.video: .notDetermined], answers: [.video: .never])
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let depths = RecordingDepth()
        depth.setDelegate(depths, callbackQueue: depths.queue)
        let session = try makeSession(fixture, [depth])
        session.startRunning()
        fixture.advance(milliseconds: 200)
        session.stopRunning()
        XCTAssertEqual(depths.times.count, 0)
    }

    func testInvalidDelegatesAndDepthFormatsAreMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, depth) = fixture.inSystem { (AVCaptureSession(), AVCaptureDepthDataOutput()) }
        fixture.assertMisuse(.invalidArgument) { depth.setDelegate(RecordingDepth(), callbackQueue: nil) }
        depth.setDelegate(nil, callbackQueue: nil)
        let input = try fixture.input(Self.trueDepth)
        fixture.inSystem { session.addInput(input) }
        let device = input.device
        let format = try XCTUnwrap(device.activeDepthDataFormat)
        fixture.assertMisuse(.generic) { device.activeDepthDataFormat = format }
        fixture.assertMisuse(.generic) { device.activeDepthDataMinFrameDuration = .invalid }
        try device.lockForConfiguration()
        let other = try XCTUnwrap(fixture.device("phone.back-lidar").activeFormat.supportedDepthDataFormats.first)
        fixture.assertMisuse(.invalidArgument) { device.activeDepthDataFormat = other }
        fixture.assertMisuse(.invalidArgument) { device.activeDepthDataFormat = device.activeFormat }
        fixture.assertMisuse(.range) { device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 240) }
        XCTAssertTrue(device.activeDepthDataFormat === format)
        device.activeDepthDataFormat = nil
        XCTAssertNil(device.activeDepthDataFormat)
        device.unlockForConfiguration()
        fixture.assertNoMisuse()
    }

    func testACameraWithoutDepthHasNoPortForIt() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let depth = fixture.inSystem { AVCaptureDepthDataOutput() }
        let session = try makeSession(fixture, camera: "phone.back-wide", [depth])
        XCTAssertEqual(depth.connections, [])
        let device = try fixture.device("phone.back-wide")
        XCTAssertNil(device.activeDepthDataFormat)
        XCTAssertFalse(device.hasMediaType(.depthData))
        XCTAssertTrue(device.activeFormat.supportedDepthDataFormats.isEmpty)
        XCTAssertTrue(device.activeFormat.supportedVideoZoomRangesForDepthDataDelivery.isEmpty)
        XCTAssertFalse(device.activeDepthDataMinFrameDuration.isValid)
        _ = session
    }

    private final class RecordingGroups: AVCaptureDataOutputSynchronizerDelegate, Sendable {
        let queue = DispatchQueue(label: "test.groups")
        /// The content of one callback, without retaining its buffers.
        struct Group {
            var videoTime: CMTime?
            var depthTime: CMTime?
            var depthWidth: Int?
            var depthDroppedReason: AVCaptureOutput.DataDroppedReason?
        }

        let groups = Lock<[Group]>([])
        private let onGroup: @Sendable () -> Void

        init(_ onGroup: @escaping @Sendable () -> Void = {}) { self.onGroup = onGroup }

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer,
            didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            var group = Group()
            for data in synchronizedDataCollection {
                if let depth = data as? AVCaptureSynchronizedDepthData {
                    group.depthTime = depth.timestamp
                    group.depthWidth = CVPixelBufferGetWidth(depth.depthData.depthDataMap)
                    group.depthDroppedReason = depth.droppedReason
                    XCTAssertEqual(depth.depthDataWasDropped, depth.droppedReason != .none)
                } else {
                    group.videoTime = data.timestamp
                }
            }
            groups.withLock { $0.append(group) }
            onGroup()
        }
    }

    func testASynchronizerGroupsFramesAndDepthOfTheSameTime() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, depth) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput()) }
        let session = try makeSession(fixture, [video, depth])
        let device = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        try device.lockForConfiguration()
        device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 15)
        device.unlockForConfiguration()
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, depth])
        let groups = RecordingGroups()
        synchronizer.setDelegate(groups, queue: groups.queue)
        session.startRunning()
        fixture.advance(milliseconds: 990)
        session.stopRunning()
        fixture.advance(milliseconds: 0)
        let reported = groups.groups.withLock { $0 }
        XCTAssertEqual(reported.filter { $0.videoTime != nil }.count, 30)
        let both = reported.filter { $0.depthTime != nil }
        XCTAssertEqual(both.count, 15)
        for group in both {
            XCTAssertEqual(group.depthDroppedReason, AVCaptureOutput.DataDroppedReason.none)
            XCTAssertEqual(group.depthTime, group.videoTime)
            XCTAssertEqual(group.depthWidth, 640)
        }
    }

    func testASlowSynchronizerDelegateReceivesDroppedData() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, depth) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput()) }
        let session = try makeSession(fixture, [video, depth])
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, depth])
        let clock = fixture.clock
        let groups = RecordingGroups { clock.spend(.milliseconds(45)) }
        synchronizer.setDelegate(groups, queue: groups.queue)
        session.startRunning()
        fixture.advance(milliseconds: 300)
        session.stopRunning()
        fixture.advance(milliseconds: 2000)
        let reasons = groups.groups.withLock { $0.compactMap(\.depthDroppedReason) }
        XCTAssertEqual(Set(reasons), [.none, .lateData])
    }

    func testAPortReportsAChangeOfItsDepthFormat() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let input = try fixture.input("phone.front-true-depth")
        let session = fixture.inSystem { AVCaptureSession() }
        session.addInput(input)
        let port = try XCTUnwrap(input.ports.first { $0.mediaType == .depthData })
        let reported = Lock<[PixelSize?]>([], order: .client)
        let token = fixture.center.addObserver(
            forName: .AVCaptureInputPortFormatDescriptionDidChange, object: port, queue: nil
        ) { notification in
            reported.withLock {
                $0.append((notification.object as? AVCaptureInput.Port)?.formatDescription?.dimensions.pixelSize)
            }
        }
        try input.device.lockForConfiguration()
        let format = try XCTUnwrap(input.device.activeFormat.supportedDepthDataFormats.last)
        input.device.activeDepthDataFormat = format
        input.device.unlockForConfiguration()
        fixture.clock.settle()
        XCTAssertEqual(reported.withLock { $0 }, [format.formatDescription.dimensions.pixelSize])
        fixture.center.removeObserver(token)
    }
}
