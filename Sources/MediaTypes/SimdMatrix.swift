// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized
// The names are Apple's.

/// A matrix of three columns and three rows.
///
/// - Note: Unlike Apple's, it stores and compares only; the arithmetic of `simd` is not there.
public struct simd_float3x3: Sendable, Hashable {
    private var storage: [SIMD3<Float>]

    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        get { (storage[0], storage[1], storage[2]) }
        set { storage = [newValue.0, newValue.1, newValue.2] }
    }

    /// All zeros.
    public init() { storage = [SIMD3<Float>](repeating: .zero, count: 3) }

    public init(_ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>) {
        storage = [column0, column1, column2]
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.init(columns.0, columns.1, columns.2) }

    /// - Parameter diagonal: What stands on the diagonal; all else is 0.
    public init(diagonal: SIMD3<Float>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    /// A column.
    public subscript(column: Int) -> SIMD3<Float> {
        get { storage[column] }
        set { storage[column] = newValue }
    }

    /// One number.
    public subscript(column: Int, row: Int) -> Float {
        get { storage[column][row] }
        set { storage[column][row] = newValue }
    }
}

/// A matrix of four columns and three rows.
///
/// - Note: Unlike Apple's, it stores and compares only; the arithmetic of `simd` is not there.
public struct simd_float4x3: Sendable, Hashable {
    private var storage: [SIMD3<Float>]

    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        get { (storage[0], storage[1], storage[2], storage[3]) }
        set { storage = [newValue.0, newValue.1, newValue.2, newValue.3] }
    }

    /// All zeros.
    public init() { storage = [SIMD3<Float>](repeating: .zero, count: 4) }

    public init(
        _ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>, _ column3: SIMD3<Float>
    ) {
        storage = [column0, column1, column2, column3]
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) {
        self.init(columns.0, columns.1, columns.2, columns.3)
    }

    /// A column.
    public subscript(column: Int) -> SIMD3<Float> {
        get { storage[column] }
        set { storage[column] = newValue }
    }

    /// One number.
    public subscript(column: Int, row: Int) -> Float {
        get { storage[column][row] }
        set { storage[column][row] = newValue }
    }
}

public typealias float3x3 = simd_float3x3
public typealias matrix_float3x3 = simd_float3x3
public typealias float4x3 = simd_float4x3
public typealias matrix_float4x3 = simd_float4x3
