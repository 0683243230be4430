// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized
// The names are Apple's.

/// A matrix of three columns and three rows; in memory, as with Apple's, column by column, each of 16 bytes.
///
/// - Note: Unlike Apple's, it stores and compares only; the arithmetic of `simd` is not there.
public struct simd_float3x3: Sendable, Hashable {
    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero) }

    public init(_ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>) {
        columns = (column0, column1, column2)
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }

    /// - Parameter diagonal: What stands on the diagonal; all else is 0.
    public init(diagonal: SIMD3<Float>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    /// A column.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            default: preconditionFailure("there is no column \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default: preconditionFailure("there is no column \(column)")
            }
        }
    }

    /// One number.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    public static func == (left: simd_float3x3, right: simd_float3x3) -> Bool { left.columns == right.columns }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
    }
}

/// A matrix of four columns and three rows; in memory, as with Apple's, column by column, each of 16 bytes.
///
/// - Note: Unlike Apple's, it stores and compares only; the arithmetic of `simd` is not there.
public struct simd_float4x3: Sendable, Hashable {
    /// The columns from left to right.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    public init(_ column0: SIMD3<Float>, _ column1: SIMD3<Float>, _ column2: SIMD3<Float>, _ column3: SIMD3<Float>) {
        columns = (column0, column1, column2, column3)
    }

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }

    /// A column.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            case 3: columns.3
            default: preconditionFailure("there is no column \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            case 3: columns.3 = newValue
            default: preconditionFailure("there is no column \(column)")
            }
        }
    }

    /// One number.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    public static func == (left: simd_float4x3, right: simd_float4x3) -> Bool { left.columns == right.columns }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
        hasher.combine(columns.3)
    }
}

public typealias float3x3 = simd_float3x3
public typealias matrix_float3x3 = simd_float3x3
public typealias float4x3 = simd_float4x3
public typealias matrix_float4x3 = simd_float4x3
