import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVDepthDataTests: XCTestCase {
    private let calibration = CameraCalibration(
        referenceDimensions: CMVideoDimensions(width: 30, height: 20), focalLength: 25, centerX: 14, centerY: 9,
        pixelSizeMillimeters: 0.002, distortion: [0, 0.25], position: SIMD3(1, 2, 3))

    private func data(
        _ values: [Float] = [1, 2, 4, 8, 16, .nan], width: Int = 3, type: OSType = kCVPixelFormatType_DepthFloat32,
        misuse: MisuseHandler = .trap
    ) throws -> AVDepthData {
        let map = DepthMap(width: width, height: values.count / width, isDisparity: false, values: values)
        let buffer = try XCTUnwrap(CVPixelBuffer(width: width, height: values.count / width, pixelFormat: type))
        try map.write(to: buffer)
        return AVDepthData(
            AVDepthData.Contents(map: buffer, accuracy: .absolute, isFiltered: true, calibration: calibration),
            misuse: misuse)
    }

    private func meters(_ data: AVDepthData) throws -> [Float] {
        try DepthMap(data.depthDataMap, asDisparity: false).values
    }

    func testDepthDataIsConvertedToAllTypes() throws {
        let source = try data()
        XCTAssertEqual(Set(source.availableDepthDataTypes), Set(DepthMap.pixelFormats))
        for type in source.availableDepthDataTypes {
            let converted = source.converting(toDepthDataType: type)
            XCTAssertEqual(converted.depthDataType, type)
            XCTAssertEqual(CVPixelBufferGetPixelFormatType(converted.depthDataMap), type)
            let values = try meters(converted)
            XCTAssertEqual(Array(values[..<5]), [1, 2, 4, 8, 16])
            XCTAssertTrue(values[5].isNaN)
            XCTAssertEqual(converted.depthDataAccuracy, .absolute)
            XCTAssertTrue(converted.isDepthDataFiltered)
            XCTAssertNotNil(converted.cameraCalibrationData)
        }
        let misuses = Lock<[Misuse]>([])
        let reporting = try data(misuse: MisuseHandler { misuse in misuses.withLock { $0.append(misuse) } })
        XCTAssertTrue(reporting.converting(toDepthDataType: kCVPixelFormatType_32BGRA) === reporting)
        XCTAssertEqual(misuses.withLock { $0.map(\.exception) }, [.invalidArgument])
    }

    func testAnOrientationRotatesMapAndCalibration() throws {
        let rotated = try data([1, 2, 3, 4, 5, 6]).applyingExifOrientation(.right)
        XCTAssertEqual(try meters(rotated), [4, 1, 5, 2, 6, 3])
        XCTAssertEqual(CVPixelBufferGetWidth(rotated.depthDataMap), 2)
        let camera = try XCTUnwrap(rotated.cameraCalibrationData)
        XCTAssertEqual(camera.intrinsicMatrixReferenceDimensions, CGSize(width: 20, height: 30))
        XCTAssertEqual(camera.intrinsicMatrix.columns.2, [11, 14, 1])
        for orientation in CGImagePropertyOrientation.allCases where ![.left, .right].contains(orientation) {
            // All other orientations are their own inverse.
            let restored = try data([1, 2, 3, 4, 5, 6]).applyingExifOrientation(orientation)
                .applyingExifOrientation(orientation)
            XCTAssertEqual(try meters(restored), [1, 2, 3, 4, 5, 6], "\(orientation)")
            XCTAssertEqual(restored.cameraCalibrationData?.intrinsicMatrix.columns.2, [14, 9, 1], "\(orientation)")
        }
    }

    func testAReplacedMapHasNoCalibration() throws {
        let buffer = try XCTUnwrap(CVPixelBuffer(width: 2, height: 1, pixelFormat: kCVPixelFormatType_DisparityFloat16))
        let replaced = try data().replacingDepthDataMap(with: buffer)
        XCTAssertTrue(replaced.depthDataMap === buffer)
        XCTAssertEqual(replaced.depthDataType, kCVPixelFormatType_DisparityFloat16)
        XCTAssertNil(replaced.cameraCalibrationData)
        let bgra = try XCTUnwrap(CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA))
        XCTAssertThrowsError(try data().replacingDepthDataMap(with: bgra)) {
            XCTAssertEqual(($0 as? AVError)?.code, .malformedDepth)
        }
    }

    func testTheCalibrationContainsTheCameraParameters() throws {
        let camera = try XCTUnwrap(data().cameraCalibrationData)
        XCTAssertEqual(camera.intrinsicMatrix, matrix_float3x3([25, 0, 0], [0, 25, 0], [14, 9, 1]))
        XCTAssertEqual(camera.intrinsicMatrix[2, 0], 14)
        XCTAssertEqual(camera.extrinsicMatrix, matrix_float4x3([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 3]))
        XCTAssertEqual(camera.pixelSize, 0.002)
        XCTAssertEqual(camera.lensDistortionCenter, CGPoint(x: 14, y: 9))
        func floats(_ data: Data?) -> [Float]? {
            data.map { $0.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
        }
        XCTAssertEqual(floats(camera.lensDistortionLookupTable), [0, 0.25])
        XCTAssertEqual(floats(camera.inverseLensDistortionLookupTable), [0, -0.2])
        var unknown = calibration
        unknown.distortion = []
        XCTAssertNil(AVCameraCalibrationData(unknown).lensDistortionLookupTable)
        XCTAssertEqual(AVCameraCalibrationData(unknown).lensDistortionCenter, .zero)
    }

    func testDepthDataIsRestoredFromItsDictionary() throws {
        for type in DepthMap.pixelFormats {
            let source = try data(type: type)
            var kind: NSString?
            let dictionary = try XCTUnwrap(source.dictionaryRepresentation(forAuxiliaryDataType: &kind))
            XCTAssertEqual(
                kind.map { $0 as String },
                DepthMap.isDisparity(type) ? kCGImageAuxiliaryDataTypeDisparity : kCGImageAuxiliaryDataTypeDepth)
            let restored = try AVDepthData(fromDictionaryRepresentation: dictionary)
            XCTAssertEqual(restored.depthDataType, type)
            XCTAssertEqual(try meters(restored)[..<5], try meters(source)[..<5])
            XCTAssertEqual(restored.depthDataAccuracy, .absolute)
            XCTAssertEqual(restored.depthDataQuality, .high)
            XCTAssertTrue(restored.isDepthDataFiltered)
        }
    }

    func testAnInvalidDictionaryIsRejected() throws {
        let valid = try XCTUnwrap(data().dictionaryRepresentation(forAuxiliaryDataType: nil))
        func errorMessage(_ change: (inout [AnyHashable: Any], inout [String: Any]) -> Void) -> String? {
            var damaged = valid
            var description = valid[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any] ?? [:]
            change(&damaged, &description)
            if damaged[kCGImageAuxiliaryDataInfoDataDescription] != nil {
                damaged[kCGImageAuxiliaryDataInfoDataDescription] = description
            }
            do {
                _ = try AVDepthData(fromDictionaryRepresentation: damaged)
                return nil
            } catch {
                XCTAssertEqual((error as? AVError)?.code, .malformedDepth)
                return error.localizedDescription
            }
        }
        XCTAssertNil(errorMessage { _, _ in })
        for key in ["Width", "Height", "BytesPerRow", "PixelFormat"] {
            for value in [nil, 0, -1, "x", Int.max] as [Any?] {
                let reason = errorMessage { $1[key] = value }
                XCTAssertNotNil(reason, "\(key) \(value ?? "missing")")
            }
        }
        XCTAssertNotNil(errorMessage { dictionary, _ in dictionary[kCGImageAuxiliaryDataInfoData] = Data(count: 23) })
        XCTAssertNotNil(errorMessage { dictionary, _ in dictionary[kCGImageAuxiliaryDataInfoData] = nil })
        XCTAssertNotNil(errorMessage { dictionary, _ in dictionary[kCGImageAuxiliaryDataInfoDataDescription] = nil })
    }
}
