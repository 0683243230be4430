// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized
// The names are Apple's.

/// A matrix of three columns and three rows, stored by columns of 16 bytes.
///
/// - Note: Unlike Apple, the type does not define arithmetic operators.
public struct simd_float3x3: Sendable, Equatable {
    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// Creates a matrix of zeros.
    public init() { columns = (.zero, .zero, .zero) }

    public init(_ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>) {
        columns = (column0, column1, column2)
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }

    /// Creates a diagonal matrix.
    ///
    /// - Parameter diagonal: The values on the diagonal.
    public init(diagonal: SIMD3<Float>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    /// Accesses a column.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            default: preconditionFailure("column \(column) is out of range")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default: preconditionFailure("column \(column) is out of range")
            }
        }
    }

    /// Accesses an element.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    public static func == (left: simd_float3x3, right: simd_float3x3) -> Bool { left.columns == right.columns }
}

/// A matrix of four columns and three rows, stored by columns of 16 bytes.
///
/// - Note: Unlike Apple, the type does not define arithmetic operators.
public struct simd_float4x3: Sendable, Equatable {
    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// Creates a matrix of zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    public init(_ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>, _ column3: SIMD3<Float>) {
        columns = (column0, column1, column2, column3)
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }

    /// Accesses a column.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            case 3: columns.3
            default: preconditionFailure("column \(column) is out of range")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            case 3: columns.3 = newValue
            default: preconditionFailure("column \(column) is out of range")
            }
        }
    }

    /// Accesses an element.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    public static func == (left: simd_float4x3, right: simd_float4x3) -> Bool { left.columns == right.columns }
}

public typealias float3x3 = simd_float3x3
public typealias matrix_float3x3 = simd_float3x3
public typealias float4x3 = simd_float4x3
public typealias matrix_float4x3 = simd_float4x3
