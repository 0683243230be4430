import Foundation
import MediaTypes
import XCTest

@testable import ThreeA

final class MeteredLightTests: XCTestCase {
    /// A picture of the reflectances, one to a column of zones, exposed so many times.
    private func picture(_ reflectances: [Double], exposed factor: Double) throws -> MeteredLight {
        let codes = reflectances.map { reflectance -> UInt8 in
            let light = min(reflectance * factor, 1)
            let value = light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
            return UInt8((value * 255).rounded())
        }
        let picture = try XCTUnwrap(
            TestPicture(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 320, 90) { x, _ in
                let code = codes[x * codes.count / 320]
                return (code, code, code)
            })
        var statistics = FrameStatistics()
        XCTAssertTrue(FrameMeter().measure(picture.buffer, color: false, focus: nil, into: &statistics))
        return statistics.light(at: .middle)
    }

    func testWhatIsClippedIsCountedAndStaysWhite() throws {
        let light = try picture([0.1, 0.3, 0.5, 0.9], exposed: 2.4)
        XCTAssertEqual(light.saturatedShare, 0.5, accuracy: 0.02)
        XCTAssertEqual(light.mean, (0.24 + 0.72 + 1 + 1) / 4, accuracy: 0.02)
        // Half as much light is known of the rest alone.
        XCTAssertEqual(light.mean(exposed: 0.5), (0.12 + 0.36 + 0.5 + 0.5) / 4, accuracy: 0.02)
        XCTAssertEqual(light.mean(exposed: 4), (0.96 + 3) / 4, accuracy: 0.02)
    }

    func testDetailFinerThanAZoneIsForetoldByTheHistogram() throws {
        // Stripes of four pixels, as of a test chart: zones alone would take them for grey.
        let stripes = (0..<80).map { $0 % 2 == 0 ? 0.03 : 0.5 }
        let before = try picture(stripes, exposed: 1)
        let after = try picture(stripes, exposed: 4)
        XCTAssertEqual(after.mean, (0.12 + 1) / 2, accuracy: 0.02)
        XCTAssertEqual(before.mean(exposed: 4), after.mean, accuracy: 0.03)
    }

    func testMoreExposureIsForetoldAndFoundAgain() throws {
        let before = try picture([0.1, 0.3, 0.5, 0.9], exposed: 0.5)
        for factor in [0.5, 1, 2, 4, 8.0] {
            let after = try picture([0.1, 0.3, 0.5, 0.9], exposed: 0.5 * factor)
            XCTAssertEqual(before.mean(exposed: factor), after.mean, accuracy: 0.02, "\(factor)")
            XCTAssertEqual(before.exposure(forMean: after.mean, in: 0.01...100) / factor, 1, accuracy: 0.06)
        }
    }

    func testABiasRaisesTheExposureByAsMuchAlsoWhereThePictureClips() throws {
        // Of a mean of 0.45: two EV above the aim, all but the darkest clip.
        let scene = [0.1, 0.3, 0.5, 0.9]
        for (bias, brightness) in [(1.0, 1.0), (2, 1), (3, 1), (2, 6), (2, 0.2)] {
            var loop = AutoExposure(program: ExposureProgram(durations: 0.00001...1, isos: 50...6400))
            var current = Exposure(nanoseconds: 1_000_000, iso: 50)
            /// Runs until the loop rests; the product it rests at.
            func settle(bias: Double, light: Double) throws -> Double {
                for _ in 0..<60 {
                    let seen = try picture(scene, exposed: light * current.product)
                    current = loop.step(after: current, current: current, light: seen, bias: bias, longest: 1.0 / 30)
                }
                XCTAssertFalse(loop.isAdjusting, "\(bias) EV")
                return current.product * light
            }
            let plain = try settle(bias: 0, light: 2)
            loop.restart()
            let lifted = try settle(bias: bias, light: 2)
            XCTAssertEqual(RepeatableMath.log2(lifted / plain), bias, accuracy: 1.0 / 6, "\(bias) EV")
            XCTAssertEqual(loop.offset, 0, accuracy: 0.1)
            // Also when the light changes afterwards.
            let followed = try settle(bias: bias, light: 2 * brightness)
            XCTAssertEqual(
                RepeatableMath.log2(followed / plain), bias, accuracy: 0.3, "\(bias) EV, \(brightness) times")
        }
    }
}
