// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaAssets

/// The unit of a position or a length in a caption region.
public enum AVCaptionUnitsType: Int, Sendable {
    case unspecified = 0
    /// Cells of a grid of characters.
    case cells = 1
    /// Percent of the display area, from 0 to 100.
    case percent = 2
}

/// A position or a length with its unit.
public struct AVCaptionDimension: Sendable, Equatable {
    public var value: CGFloat
    public var units: AVCaptionUnitsType

    /// Creates an unspecified dimension.
    public init() { self.init(value: 0, units: .unspecified) }

    public init(value: CGFloat, units: AVCaptionUnitsType) {
        self.value = value
        self.units = units
    }
}

/// A point in a display area.
public struct AVCaptionPoint: Sendable, Equatable {
    public var x: AVCaptionDimension
    public var y: AVCaptionDimension

    /// Creates an unspecified point.
    public init() { self.init(x: AVCaptionDimension(), y: AVCaptionDimension()) }

    public init(x: AVCaptionDimension, y: AVCaptionDimension) {
        self.x = x
        self.y = y
    }
}

/// A size in a display area.
public struct AVCaptionSize: Sendable, Equatable {
    public var width: AVCaptionDimension
    public var height: AVCaptionDimension

    /// Creates an unspecified size.
    public init() { self.init(width: AVCaptionDimension(), height: AVCaptionDimension()) }

    public init(width: AVCaptionDimension, height: AVCaptionDimension) {
        self.width = width
        self.height = height
    }
}

public func AVCaptionDimensionMake(_ value: CGFloat, _ units: AVCaptionUnitsType) -> AVCaptionDimension {
    AVCaptionDimension(value: value, units: units)
}

public func AVCaptionPointMake(_ x: AVCaptionDimension, _ y: AVCaptionDimension) -> AVCaptionPoint {
    AVCaptionPoint(x: x, y: y)
}

public func AVCaptionSizeMake(_ width: AVCaptionDimension, _ height: AVCaptionDimension) -> AVCaptionSize {
    AVCaptionSize(width: width, height: height)
}
