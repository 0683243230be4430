import MediaTypes
import XCTest

final class SimdMatrixTests: XCTestCase {
    func testMatricesAreStoredByColumnsOf16Bytes() {
        let matrix = matrix_float3x3([1, 2, 3], [4, 5, 6], [7, 8, 9])
        let bytes = withUnsafeBytes(of: matrix) { Array($0) }
        XCTAssertEqual(bytes.count, 48)
        let floats = bytes.withUnsafeBytes { bytes in
            (0..<12).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        for (column, start) in [0, 4, 8].enumerated() {
            XCTAssertEqual(Array(floats[start..<(start + 3)]), (0..<3).map { matrix[column, $0] })
        }
        XCTAssertEqual(bytes.withUnsafeBytes { $0.loadUnaligned(as: matrix_float3x3.self) }, matrix)
        XCTAssertEqual(MemoryLayout<matrix_float4x3>.size, 64)
    }

    func testColumnsAndElementsCanBeSet() {
        var matrix = matrix_float4x3()
        matrix[3] = [1, 2, 3]
        matrix[0, 2] = 7
        XCTAssertEqual(matrix, matrix_float4x3([0, 0, 7], .zero, .zero, [1, 2, 3]))
        XCTAssertNotEqual(matrix, matrix_float4x3())
        XCTAssertEqual(matrix_float3x3(diagonal: [1, 2, 3])[1, 1], 2)
    }
}
