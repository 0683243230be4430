import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AudioPowerTests: XCTestCase {
    private func chunk(_ sample: AudioStreamFormat.Sample, _ values: [Double], channels: Int = 1) throws -> AudioChunk {
        var bytes: [UInt8] = []
        for value in values {
            switch sample {
            case .int16: withUnsafeBytes(of: Int16((value * 32767).rounded())) { bytes += Array($0) }
            case .int32: withUnsafeBytes(of: Int32((value * 2_147_483_647).rounded())) { bytes += Array($0) }
            case .float32: withUnsafeBytes(of: Float(value)) { bytes += Array($0) }
            }
        }
        return AudioChunk(
            data: CMBlockBuffer(copying: bytes),
            format: AudioStreamFormat(sampleRate: 1000, channelCount: channels, sample: sample),
            frameCount: values.count / channels, presentationTime: .zero, samplePosition: 0)
    }

    func testFullScaleIsZeroDecibelsInEverySampleType() throws {
        for sample in AudioStreamFormat.Sample.allCases {
            let power = AudioPower.levels(of: try chunk(sample, [1, -1, 1, -1]), after: [])
            XCTAssertEqual(power.count, 1)
            XCTAssertEqual(power[0].average, 0, accuracy: 0.001)
            XCTAssertEqual(power[0].peakHold, 0, accuracy: 0.001)
        }
    }

    func testSilenceAndAnEmptyChunkHaveTheMinimumLevel() throws {
        XCTAssertEqual(AudioPower.levels(of: try chunk(.int16, [0, 0]), after: []), [AudioPower()])
        XCTAssertEqual(AudioPower.levels(of: try chunk(.int16, []), after: []), [AudioPower()])
    }

    func testChannelsAreMeasuredSeparately() throws {
        let power = AudioPower.levels(of: try chunk(.float32, [0.5, 0, -0.5, 0], channels: 2), after: [])
        XCTAssertEqual(power[0].average, -6.02, accuracy: 0.01)
        XCTAssertEqual(power[1].average, AudioPower.silence)
    }

    func testThePeakFallsByTwentyDecibelsASecond() throws {
        var power = AudioPower.levels(of: try chunk(.float32, [1]), after: [])
        power = AudioPower.levels(of: try chunk(.float32, Array(repeating: 0, count: 500)), after: power)
        XCTAssertEqual(power[0].peakHold, -10, accuracy: 0.1)
        XCTAssertEqual(power[0].average, AudioPower.silence)
    }
}
