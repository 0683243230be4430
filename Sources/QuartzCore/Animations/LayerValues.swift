import Foundation
import MediaTypes
import VectorGraphics

/// The values of a layer's properties, as the client set them or as animations change them.
struct LayerValues {
    var state: CALayer.State
    /// For shape layers.
    var shape = ShapeStyle()
    /// For text layers.
    var text = TextStyle()
}

/// A property of a layer that animations change.
enum LayerProperty {
    case number(WritableKeyPath<LayerValues, CGFloat>)
    case opacity(WritableKeyPath<LayerValues, Float>)
    case flag(WritableKeyPath<LayerValues, Bool>)
    case point(WritableKeyPath<LayerValues, CGPoint>)
    case size(WritableKeyPath<LayerValues, CGSize>)
    case rect(WritableKeyPath<LayerValues, CGRect>)
    case transform
    /// A rotation, scale or translation of the transform along some axes: the same number for each.
    case transformPart(WritableKeyPath<TransformParts, [CGFloat]>, axes: Range<Int>)
    /// The translation of the transform in the plane.
    case translation
    case color(WritableKeyPath<LayerValues, CGColor?>)
    case path
    case contents
    case string

    /// Finds the property of a key path of Core Animation; nil if there is none.
    init?(_ keyPath: String) {
        let parts = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let inner = parts.dropFirst().joined(separator: ".")
        switch parts[0] {
        case "position": self.init(point: \.state.position, inner)
        case "anchorPoint": self.init(point: \.state.anchorPoint, inner)
        case "bounds": self.init(rect: \.state.bounds, inner)
        case "contentsRect": self.init(rect: \.state.style.contentsRect, inner)
        case "shadowOffset": self.init(size: \.state.style.shadow.offset, inner)
        case "transform": self.init(transform: inner)
        default: self.init(whole: keyPath)
        }
    }

    private init?(whole keyPath: String) {
        switch keyPath {
        case "opacity": self = .opacity(\.state.style.opacity)
        case "zPosition": self = .number(\.state.zPosition)
        case "hidden", "isHidden": self = .flag(\.state.style.isHidden)
        case "masksToBounds": self = .flag(\.state.style.masksToBounds)
        case "cornerRadius": self = .number(\.state.style.cornerRadius)
        case "borderWidth": self = .number(\.state.style.borderWidth)
        case "borderColor": self = .color(\.state.style.borderColor)
        case "backgroundColor": self = .color(\.state.style.backgroundColor)
        case "contents": self = .contents
        case "contentsScale": self = .number(\.state.style.contentsScale)
        case "shadowColor": self = .color(\.state.style.shadow.color)
        case "shadowOpacity": self = .opacity(\.state.style.shadow.opacity)
        case "shadowRadius": self = .number(\.state.style.shadow.radius)
        case "path": self = .path
        case "fillColor": self = .color(\.shape.fillColor)
        case "strokeColor": self = .color(\.shape.strokeColor)
        case "strokeStart": self = .number(\.shape.strokeStart)
        case "strokeEnd": self = .number(\.shape.strokeEnd)
        case "lineWidth": self = .number(\.shape.lineWidth)
        case "miterLimit": self = .number(\.shape.miterLimit)
        case "lineDashPhase": self = .number(\.shape.dashPhase)
        case "foregroundColor": self = .color(\.text.foregroundColor)
        case "fontSize": self = .number(\.text.fontSize)
        case "string": self = .string
        default: return nil
        }
    }

    private init?(point path: WritableKeyPath<LayerValues, CGPoint>, _ inner: String) {
        switch inner {
        case "": self = .point(path)
        case "x": self = .number(path.appending(path: \.x))
        case "y": self = .number(path.appending(path: \.y))
        default: return nil
        }
    }

    private init?(size path: WritableKeyPath<LayerValues, CGSize>, _ inner: String) {
        switch inner {
        case "": self = .size(path)
        case "width": self = .number(path.appending(path: \.width))
        case "height": self = .number(path.appending(path: \.height))
        default: return nil
        }
    }

    private init?(rect path: WritableKeyPath<LayerValues, CGRect>, _ inner: String) {
        if inner.isEmpty {
            self = .rect(path)
        } else if inner.hasPrefix("origin") {
            self.init(point: path.appending(path: \.origin), String(inner.dropFirst(7)))
        } else if inner.hasPrefix("size") {
            self.init(size: path.appending(path: \.size), String(inner.dropFirst(5)))
        } else {
            return nil
        }
    }

    private init?(transform inner: String) {
        switch inner {
        case "": self = .transform
        case "rotation", "rotation.z": self = .transformPart(\.rotation, axes: 2..<3)
        case "rotation.x": self = .transformPart(\.rotation, axes: 0..<1)
        case "rotation.y": self = .transformPart(\.rotation, axes: 1..<2)
        case "scale": self = .transformPart(\.scale, axes: 0..<3)
        case "scale.x": self = .transformPart(\.scale, axes: 0..<1)
        case "scale.y": self = .transformPart(\.scale, axes: 1..<2)
        case "scale.z": self = .transformPart(\.scale, axes: 2..<3)
        case "translation": self = .translation
        case "translation.x": self = .transformPart(\.translation, axes: 0..<1)
        case "translation.y": self = .transformPart(\.translation, axes: 1..<2)
        case "translation.z": self = .transformPart(\.translation, axes: 2..<3)
        default: return nil
        }
    }

    /// Returns the property's value.
    func value(in values: LayerValues) -> AnimatableValue? {
        switch self {
        case .number(let path): return .number(values[keyPath: path])
        case .opacity(let path): return .number(Double(values[keyPath: path]))
        case .flag(let path): return .object(values[keyPath: path])
        case .point(let path): return .point(values[keyPath: path])
        case .size(let path): return .size(values[keyPath: path])
        case .rect(let path): return .rect(values[keyPath: path])
        case .transform: return .transform(values.state.transform)
        case .transformPart(let path, let axes):
            let numbers = TransformParts(values.state.transform)[keyPath: path][axes]
            return .number(numbers.reduce(0, +) / CGFloat(axes.count))
        case .translation: return .size(CGSize(width: values.state.transform.m41, height: values.state.transform.m42))
        case .color(let path): return .color(values[keyPath: path]?.rgba ?? [0, 0, 0, 0])
        case .path: return .object(values.shape.path).asPath
        case .contents: return .object(values.state.style.contents)
        case .string: return .object(values.text.string)
        }
    }

    /// Converts a value that a client passed; nil for a value of another type.
    func value(of value: Any) -> AnimatableValue? {
        switch self {
        case .number, .opacity, .transformPart: return AnimatableValue.number(of: value).map { .number($0) }
        case .flag: return AnimatableValue.number(of: value).map { .object($0 != 0) }
        case .point:
            let point = value as? CGPoint
            return (point ?? AnimatableValue.contents(value, like: NSValue(point: .zero), \.pointValue)).map {
                .point($0)
            }
        case .size, .translation:
            let size = value as? CGSize
            return (size ?? AnimatableValue.contents(value, like: NSValue(size: .zero), \.sizeValue)).map { .size($0) }
        case .rect:
            let rect = value as? CGRect
            return (rect ?? AnimatableValue.contents(value, like: NSValue(rect: .zero), \.rectValue)).map { .rect($0) }
        case .transform:
            let plane = (value as? CGAffineTransform).map(CATransform3DMakeAffineTransform)
            return (value as? CATransform3D ?? plane).map { .transform($0) }
        case .color: return (value as? CGColor).map { .color($0.rgba) }
        case .path: return (value as? CGPath).map { .path($0) }
        case .contents: return .object(value)
        case .string: return .object(value as? String ?? (value as? NSAttributedString)?.string)
        }
    }

    /// Sets the property; has no effect if the value is of another kind.
    func set(_ value: AnimatableValue, in values: inout LayerValues) {
        switch (self, value) {
        case (.number(let path), .number(let number)): values[keyPath: path] = number
        case (.opacity(let path), .number(let number)): values[keyPath: path] = Float(number)
        case (.flag(let path), .object(let flag as Bool)): values[keyPath: path] = flag
        case (.point(let path), .point(let point)): values[keyPath: path] = point
        case (.size(let path), .size(let size)): values[keyPath: path] = size
        case (.rect(let path), .rect(let rect)): values[keyPath: path] = rect
        case (.transform, .transform(let transform)): values.state.transform = transform
        case (.transformPart(let path, let axes), .number(let number)):
            var parts = TransformParts(values.state.transform)
            for axis in axes { parts[keyPath: path][axis] = number }
            values.state.transform = parts.transform
        case (.translation, .size(let size)):
            (values.state.transform.m41, values.state.transform.m42) = (size.width, size.height)
        case (.color(let path), .color(let numbers)):
            let limited = numbers.map { min(1, max(0, $0)) }
            values[keyPath: path] = CGColor(red: limited[0], green: limited[1], blue: limited[2], alpha: limited[3])
        case (.path, .path(let path)): values.shape.path = path
        case (.contents, .object(let contents)): values.state.style.contents = contents
        case (.string, .object(let string as String)): values.text.string = string
        default: break
        }
    }
}

extension AnimatableValue {
    /// The value, with an object that is a path as a path.
    fileprivate var asPath: AnimatableValue {
        if case .object(let path as CGPath) = self { .path(path) } else { self }
    }
}

extension CGColor {
    /// Red, green, blue and alpha.
    fileprivate var rgba: [CGFloat] {
        let values = components ?? [0, 0]
        return values.count == 2 ? [values[0], values[0], values[0], values[1]] : values
    }
}
