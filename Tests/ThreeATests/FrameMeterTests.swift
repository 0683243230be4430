import Foundation
import MediaTypes
import XCTest

@testable import ThreeA

final class FrameMeterTests: XCTestCase {
    private static let codes: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange,
        kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange, kCVPixelFormatType_422YpCbCr8,
        kCVPixelFormatType_444YpCbCr8, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
        kCVPixelFormatType_32ABGR, kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR,
        kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent10, kCVPixelFormatType_OneComponent12,
        kCVPixelFormatType_OneComponent16,
    ]

    private func measure(
        _ image: TestImage, color: Bool = true, focus: MeteringPoint? = nil
    ) throws -> FrameStatistics {
        var statistics = FrameStatistics()
        let window = focus.map(MeteringRegion.focusWindow)
        XCTAssertTrue(FrameMeter().measure(image.buffer, color: color, focus: window, into: &statistics))
        return statistics
    }

    /// Returns the linear light of a code by BT.709's transfer function.
    private func linear(_ code: Double) -> Double {
        let v = code / 255
        return v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45)
    }

    func testAllFormatsResultInTheSameLightAndColor() throws {
        for code in Self.codes {
            let name = String(decoding: withUnsafeBytes(of: code.bigEndian, Array.init), as: UTF8.self)
            let isGray = TestImage.isGray(code)
            // The left half is reddish and the right half is bluish.
            let image = try XCTUnwrap(TestImage(code, 96, 64) { x, _ in x < 48 ? (160, 90, 60) : (60, 90, 120) })
            let statistics = try measure(image)
            let gray = try measure(XCTUnwrap(TestImage(code, 96, 64) { _, _ in (100, 100, 100) }))
            XCTAssertEqual(gray.mean(at: .center), linear(100), accuracy: 0.004, name)
            XCTAssertEqual(gray.histogram[25] + gray.histogram[24], gray.histogram.reduce(0, +), name)
            if isGray {
                XCTAssertNil(statistics.color, name)
                continue
            }
            let color = try XCTUnwrap(statistics.color, name)
            XCTAssertEqual(color.red, (linear(160) + linear(60)) / 2, accuracy: 0.006, name)
            XCTAssertEqual(color.green, linear(90), accuracy: 0.006, name)
            XCTAssertEqual(color.blue, (linear(60) + linear(120)) / 2, accuracy: 0.006, name)
            XCTAssertEqual(color.share, 1, name)
        }
    }

    func testTheOptimizedLayoutResultsInTheSameStatistics() throws {
        // 4:2:0 with two planes is measured by optimized code, with three planes by general code.
        let layouts = [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange),
        ]
        for (width, height) in [(640, 360), (1920, 1080), (34, 18)] {
            for (common, other) in layouts {
                // All hues, from black to clipped, with many that are nearly gray.
                func code(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
                    let base = x * 270 / width
                    let spread = (y * 7 + channel * (y % 97)) % (y % 3 == 0 ? 30 : 220)
                    return UInt8(min(255, max(0, base + (channel == 1 ? -spread : spread) / 2)))
                }
                let images = try [common, other].map {
                    try XCTUnwrap(
                        TestImage($0, width, height) { x, y in (code(x, y, 0), code(x, y, 1), code(x, y, 2)) })
                }
                let statistics = try images.map { try measure($0, focus: .center) }
                XCTAssertNotNil(statistics[0].color)
                XCTAssertEqual(statistics[0], statistics[1], "\(width)x\(height)")
            }
        }
    }

    func testAMeteringPointMetersTheAreaAroundIt() throws {
        let image = try XCTUnwrap(
            TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 640, 480) { x, y in
                x >= 400 && y < 200 ? (200, 200, 200) : (20, 20, 20)
            })
        let statistics = try measure(image)
        XCTAssertEqual(statistics.mean(at: MeteringPoint(x: 0.8, y: 0.2)), linear(200), accuracy: 0.1)
        XCTAssertEqual(statistics.mean(at: MeteringPoint(x: 0.2, y: 0.8)), linear(20), accuracy: 0.02)
        let all = 0.375 * 200 / 480 * linear(200)
        XCTAssertEqual(statistics.mean(at: .center), all, accuracy: 0.02)
    }

    func testAMeteringPointMetersAboutATenthOfTheFrame() throws {
        // A dark face in front of a bright window.
        let image = try XCTUnwrap(
            TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 1280, 720) { x, y in
                (560..<720).contains(x) && (240..<480).contains(y) ? (40, 40, 40) : (230, 230, 230)
            })
        let statistics = try measure(image)
        // The complete frame has a tenth of the weight.
        let expected = 0.9 * linear(40) + 0.1 * linear(230)
        XCTAssertEqual(statistics.mean(at: MeteringPoint(x: 0.5, y: 0.501)), expected, accuracy: 0.03)
        XCTAssertEqual(statistics.mean(at: MeteringPoint(x: 0.8, y: 0.5)), linear(230), accuracy: 0.03)
        // At the border the region is moved into the frame.
        XCTAssertEqual(statistics.mean(at: MeteringPoint(x: 1, y: 0)), linear(230), accuracy: 0.03)
        // If highlights are compressed, the window counts as white, and the light of the face is the same.
        var binLights = (0..<64).map { linear(4 * Double($0) + 1.5) }
        for bin in 40..<64 { binLights[bin] = 1 }
        let light = statistics.light(at: MeteringPoint(x: 0.5, y: 0.501), binLights: binLights)
        XCTAssertEqual(light.mean, 0.9 * linear(40) + 0.1, accuracy: 0.03)
    }

    func testRegionsAreMeteredByTheirArea() throws {
        // Two dark faces in front of a bright wall.
        let image = try XCTUnwrap(
            TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 1280, 720) { x, y in
                if (160..<320).contains(x), (160..<480).contains(y) { return (40, 40, 40) }
                if (960..<1040).contains(x), (320..<480).contains(y) { return (100, 100, 100) }
                return (200, 200, 200)
            })
        let statistics = try measure(image)
        let (large, small) = (
            MeteringRegion(x: 240.0 / 1280, y: 320.0 / 720, width: 160.0 / 1280, height: 320.0 / 720),
            MeteringRegion(x: 1000.0 / 1280, y: 400.0 / 720, width: 80.0 / 1280, height: 160.0 / 720)
        )
        let share = (large: 160.0 * 320 / 1280 / 720, small: 80.0 * 160 / 1280 / 720)
        let all =
            share.large * linear(40) + share.small * linear(100) + (1 - share.large - share.small) * linear(200)
        XCTAssertEqual(
            statistics.light(in: [large], weight: 3).mean, 0.75 * linear(40) + 0.25 * all, accuracy: 0.02)
        // The small region has a fifth of the area of both.
        XCTAssertEqual(
            statistics.light(in: [large, small], weight: 3).mean,
            0.75 * (0.8 * linear(40) + 0.2 * linear(100)) + 0.25 * all, accuracy: 0.02)
    }

    func testNoiseDoesNotHideATint() throws {
        var random = SplitMix64(seed: 7)
        // A standard deviation of 45 codes in blue, as in incandescent light at a high gain.
        let noise = (0..<640 * 360 / 4).map { _ in (0..<3).reduce(0.0) { sum, _ in sum + random.number(in: -45...45) } }
        for code in [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange] {
            func blueOverGreen(_ blue: Double) throws -> Double {
                let image = try XCTUnwrap(
                    TestImage(code, 640, 360) { x, y in
                        (100, 100, UInt8(min(max(blue + noise[y / 2 * 320 + x / 2], 0), 255)))
                    })
                let color = try XCTUnwrap(measure(image).color)
                return color.blue / color.green
            }
            XCTAssertEqual(try blueOverGreen(100), 1, accuracy: 0.06)
            XCTAssertLessThan(try blueOverGreen(80), 0.95)
        }
    }

    func testClippedAndBlackSamplesAreIgnoredInColors() throws {
        let image = try XCTUnwrap(
            TestImage(kCVPixelFormatType_32BGRA, 96, 96) { x, _ in
                x < 32 ? (255, 200, 120) : x < 64 ? (4, 4, 4) : (120, 100, 80)
            })
        let color = try XCTUnwrap(measure(image).color)
        XCTAssertEqual(color.share, 1.0 / 3, accuracy: 0.02)
        XCTAssertEqual(color.red / color.green, linear(120) / linear(100), accuracy: 0.01)
        let white = try XCTUnwrap(TestImage(kCVPixelFormatType_32BGRA, 96, 96) { _, _ in (255, 255, 255) })
        XCTAssertNil(try measure(white).color)
        XCTAssertEqual(try measure(white).clippedShare, 1)
    }

    func testContrastIsMeasuredInTheWindowIndependentlyOfTheExposure() throws {
        func stripes(_ low: UInt8, _ high: UInt8, at window: ClosedRange<Int>) throws -> TestImage {
            try XCTUnwrap(
                TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 640, 480) { x, _ in
                    let code = window.contains(x) ? (x / 4 % 2 == 0 ? low : high) : (low / 2 + high / 2)
                    return (code, code, code)
                })
        }
        let left = try stripes(60, 120, at: 40...260)
        let contrastOnStripes = try XCTUnwrap(measure(left, focus: MeteringPoint(x: 0.2, y: 0.5)).contrast)
        let contrastBesideStripes = try XCTUnwrap(measure(left, focus: MeteringPoint(x: 0.8, y: 0.5)).contrast)
        XCTAssertGreaterThan(contrastOnStripes, 0.05)
        XCTAssertEqual(contrastBesideStripes, 0)
        let brighter = try XCTUnwrap(
            measure(stripes(120, 240, at: 40...260), focus: MeteringPoint(x: 0.2, y: 0.5)).contrast)
        XCTAssertEqual(brighter / contrastOnStripes, 1, accuracy: 0.25)
        let softer = try XCTUnwrap(
            measure(stripes(80, 100, at: 40...260), focus: MeteringPoint(x: 0.2, y: 0.5)).contrast)
        XCTAssertLessThan(softer, contrastOnStripes / 4)
        for corner in [MeteringPoint(x: 0, y: 0), MeteringPoint(x: 1, y: 1)] {
            XCTAssertNotNil(try measure(left, focus: corner).contrast)
        }
    }

    func testLightAndColorAreReadOnlyInTheReportedRows() throws {
        for height in [12, 144, 480, 720, 1080] {
            let rowPairFlags = FrameMeter.meteredRowPairs(height: height)
            XCTAssertEqual(rowPairFlags.count, height / 2)
            XCTAssertLessThanOrEqual(rowPairFlags.reduce(0) { $0 + Int($1) }, 9 * 12)
            func image(elsewhere: UInt8) throws -> TestImage {
                try XCTUnwrap(
                    TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 96, height) { x, y in
                        rowPairFlags[y / 2] == 1 ? (UInt8(x), 100, UInt8(y % 256)) : (elsewhere, elsewhere, elsewhere)
                    })
            }
            XCTAssertEqual(try measure(image(elsewhere: 0)), try measure(image(elsewhere: 250)), "\(height)")
        }
    }

    func testOddAndSmallSizesAreMeasuredAndUnsupportedFormatsRejected() throws {
        for (width, height) in [(3, 3), (5, 7), (17, 11), (33, 9), (641, 363)] {
            for code in Self.codes where code != kCVPixelFormatType_24BGR {
                guard let image = TestImage(code, width, height, { _, _ in (100, 100, 100) }) else { continue }
                let statistics = try measure(image, focus: .center)
                XCTAssertEqual(statistics.contrast, 0, "\(code) \(width)x\(height)")
                XCTAssertEqual(statistics.mean(at: .center), linear(100), accuracy: 0.004, "\(code) \(width)")
            }
        }
        let depth = try XCTUnwrap(CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_DepthFloat32))
        var statistics = FrameStatistics()
        XCTAssertFalse(FrameMeter().measure(depth, color: true, focus: nil, into: &statistics))
        XCTAssertEqual(statistics, FrameStatistics())
    }
}
