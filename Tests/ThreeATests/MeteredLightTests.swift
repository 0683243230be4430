import Foundation
import MediaTypes
import XCTest

@testable import ThreeA

final class MeteredLightTests: XCTestCase {
    /// Returns the metered light of an image of vertical stripes. The light of a stripe is its reflectance times
    /// `factor`, at most 1.
    private func meteredLight(_ reflectances: [Double], exposed factor: Double) throws -> MeteredLight {
        let codes = reflectances.map { reflectance -> UInt8 in
            let light = min(reflectance * factor, 1)
            let value = light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
            return UInt8((value * 255).rounded())
        }
        let image = try XCTUnwrap(
            TestImage(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 320, 90) { x, _ in
                let code = codes[x * codes.count / 320]
                return (code, code, code)
            })
        var statistics = FrameStatistics()
        XCTAssertTrue(FrameMeter().measure(image.buffer, color: false, focus: nil, into: &statistics))
        return statistics.light(at: .center)
    }

    func testClippedSamplesAreCountedAsWhite() throws {
        let light = try meteredLight([0.1, 0.3, 0.5, 0.9], exposed: 2.4)
        XCTAssertEqual(light.saturatedShare, 0.5, accuracy: 0.02)
        XCTAssertEqual(light.mean, (0.24 + 0.72 + 1 + 1) / 4, accuracy: 0.02)
        // With half the exposure, only the light of samples without clipping is known.
        XCTAssertEqual(light.mean(exposed: 0.5), (0.12 + 0.36 + 0.5 + 0.5) / 4, accuracy: 0.02)
        XCTAssertEqual(light.mean(exposed: 4), (0.96 + 3) / 4, accuracy: 0.02)
    }

    func testTheHistogramPredictsDetailFinerThanAZone() throws {
        // Stripes of four pixels, as in a test chart. The mean of a zone shows only gray.
        let stripes = (0..<80).map { $0 % 2 == 0 ? 0.03 : 0.5 }
        let before = try meteredLight(stripes, exposed: 1)
        let after = try meteredLight(stripes, exposed: 4)
        XCTAssertEqual(after.mean, (0.12 + 1) / 2, accuracy: 0.02)
        XCTAssertEqual(before.mean(exposed: 4), after.mean, accuracy: 0.03)
    }

    func testTheMeanOfADifferentExposureIsPredicted() throws {
        let before = try meteredLight([0.1, 0.3, 0.5, 0.9], exposed: 0.5)
        for factor in [0.5, 1, 2, 4, 8.0] {
            let after = try meteredLight([0.1, 0.3, 0.5, 0.9], exposed: 0.5 * factor)
            XCTAssertEqual(before.mean(exposed: factor), after.mean, accuracy: 0.02, "\(factor)")
            XCTAssertEqual(before.exposure(forMean: after.mean, in: 0.01...100) / factor, 1, accuracy: 0.06)
        }
    }

    func testABiasChangesTheExposureByItsValueEvenWithClipping() throws {
        // The scene's mean is 0.45. With a bias of two EV, all but the darkest parts clip.
        let scene = [0.1, 0.3, 0.5, 0.9]
        for (bias, brightness) in [(1.0, 1.0), (2, 1), (3, 1), (2, 6), (2, 0.2)] {
            var loop = AutoExposure(program: ExposureProgram(durations: 0.00001...1, isos: 50...6400))
            var current = Exposure(nanoseconds: 1_000_000, iso: 50)
            /// Runs until the loop stops and returns the exposure product.
            func settle(bias: Double, light: Double) throws -> Double {
                for _ in 0..<60 {
                    let measured = try meteredLight(scene, exposed: light * current.product)
                    current = loop.step(
                        after: current, current: current, light: measured, bias: bias, longest: 1.0 / 30)
                }
                XCTAssertFalse(loop.isAdjusting, "\(bias) EV")
                return current.product * light
            }
            let unbiased = try settle(bias: 0, light: 2)
            loop.restart()
            let biased = try settle(bias: bias, light: 2)
            XCTAssertEqual(RepeatableMath.log2(biased / unbiased), bias, accuracy: 1.0 / 6, "\(bias) EV")
            XCTAssertEqual(loop.offset, 0, accuracy: 0.1)
            // The same holds after a change of the light.
            let biasedAfterChange = try settle(bias: bias, light: 2 * brightness)
            XCTAssertEqual(
                RepeatableMath.log2(biasedAfterChange / unbiased), bias, accuracy: 0.3,
                "\(bias) EV, \(brightness) times")
        }
    }
}
