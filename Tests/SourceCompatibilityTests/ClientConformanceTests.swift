import AVFoundation
import XCTest

// As in apps, conformances that make Apple's C structs comparable, because the SDK has none. Compiling them without a
// warning is the test.
extension CMVideoDimensions: Equatable, Comparable {
    public static func == (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool {
        lhs.width == rhs.width && lhs.height == rhs.height
    }

    public static func < (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool {
        Int(lhs.width) * Int(lhs.height) < Int(rhs.width) * Int(rhs.height)
    }
}

extension AudioStreamBasicDescription: Equatable {
    public static func == (lhs: AudioStreamBasicDescription, rhs: AudioStreamBasicDescription) -> Bool {
        lhs.mFormatID == rhs.mFormatID && lhs.mSampleRate == rhs.mSampleRate
            && lhs.mChannelsPerFrame == rhs.mChannelsPerFrame
    }
}

extension CATransform3D: Equatable {
    public static func == (lhs: CATransform3D, rhs: CATransform3D) -> Bool { CATransform3DEqualToTransform(lhs, rhs) }
}

extension CLLocationCoordinate2D: Hashable {
    public static func == (lhs: CLLocationCoordinate2D, rhs: CLLocationCoordinate2D) -> Bool {
        lhs.latitude == rhs.latitude && lhs.longitude == rhs.longitude
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(latitude)
        hasher.combine(longitude)
    }
}

extension CMSampleTimingInfo: Equatable {
    public static func == (lhs: CMSampleTimingInfo, rhs: CMSampleTimingInfo) -> Bool {
        lhs.presentationTimeStamp == rhs.presentationTimeStamp && lhs.duration == rhs.duration
    }
}

extension CMTimeMapping: Equatable {
    public static func == (lhs: CMTimeMapping, rhs: CMTimeMapping) -> Bool {
        lhs.source == rhs.source && lhs.target == rhs.target
    }
}

extension simd_float3x3: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
    }
}

final class ClientConformanceTests: XCTestCase {
    func testAnAppMakesDimensionsComparable() {
        let sizes = [(1920, 1080), (640, 480)].map { CMVideoDimensions(width: $0, height: $1) }
        XCTAssertEqual(sizes.min(), CMVideoDimensions(width: 640, height: 480))
        XCTAssertEqual(sizes.firstIndex(of: CMVideoDimensions(width: 1920, height: 1080)), 0)
    }

    func testAnAppMakesOtherStructsComparable() {
        XCTAssertNotEqual(CATransform3DIdentity, CATransform3DMakeScale(2, 1, 1))
        XCTAssertEqual(Set([CLLocationCoordinate2D(), CLLocationCoordinate2D()]).count, 1)
        XCTAssertEqual(AudioStreamBasicDescription(), AudioStreamBasicDescription())
        XCTAssertEqual(CMSampleTimingInfo.invalid, CMSampleTimingInfo())
        XCTAssertEqual(CMTimeMapping.invalid, CMTimeMapping())
        XCTAssertEqual(Set([simd_float3x3(), simd_float3x3(diagonal: [1, 1, 1])]).count, 2)
    }
}
