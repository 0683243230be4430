import Foundation
import XCTest

@testable import MediaCodecs

final class PCMConverterTests: XCTestCase {
    private func convert(_ bytes: [UInt8], _ source: PCMFormat, _ destination: PCMFormat) -> [UInt8] {
        bytes.withUnsafeBytes { Array(PCMConverter(from: source, to: destination).convert($0)) }
    }

    private func bytes<Value>(_ values: [Value]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

    func testByteOrderIsConverted() {
        let big = PCMFormat.int16.withByteOrder(isBigEndian: true)
        XCTAssertEqual(convert([1, 2, 3, 4], .int16, big), [2, 1, 4, 3])
        XCTAssertEqual(convert([1, 2, 3], .int24, PCMFormat.int24.withByteOrder(isBigEndian: true)), [3, 2, 1])
        let float = PCMFormat.float32.withByteOrder(isBigEndian: true)
        XCTAssertEqual(convert(bytes([Float(0.5)]), .float32, float), bytes([Float(0.5).bitPattern.byteSwapped]))
    }

    func testIntegersArePaddedWithZerosOrRounded() {
        let values: [Int16] = [0, 1, -1, .max, .min, 1234]
        XCTAssertEqual(convert(bytes(values), .int16, .int32), bytes(values.map { Int32($0) << 16 }))
        XCTAssertEqual(
            convert(bytes([Int32(0x7fff), 0x8000, -0x8000, -0x8001, .max, .min]), .int32, .int16),
            bytes([Int16(0), 1, 0, -1, .max, .min]))
        XCTAssertEqual(convert(bytes([Int32(0x1234_5680), .max]), .int32, .int24), [0x57, 0x34, 0x12, 255, 255, 127])
    }

    func testConversionToWiderFormatsIsLossless() {
        let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        for wide in [PCMFormat.int24, .int32, .float32, .float64, PCMFormat.int24.withByteOrder(isBigEndian: true)] {
            XCTAssertEqual(convert(convert(bytes(all), .int16, wide), wide, .int16), bytes(all), "\(wide)")
        }
    }

    func testFloatingPointIsClippedAtOne() {
        let values: [Float] = [1, -1, 2, -2, 0.5, -0.25, .nan, .infinity]
        XCTAssertEqual(
            convert(bytes(values), .float32, .int16),
            bytes([Int16.max, .min, .max, .min, 16384, -8192, 0, .max]))
        XCTAssertEqual(convert(bytes([Double(0.25)]), .float64, .float32), bytes([Float(0.25)]))
    }
}
