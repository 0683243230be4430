import CaptureHAL
import MediaTypes

/// A value that can be written to a trace's index and read back unchanged.
protocol TraceValue {
    var traceText: String { get }
    /// Parses `traceText`. Returns nil for any other spelling of the value.
    init?(traceText: String)
    /// A description of the syntax for error messages.
    static var traceSyntax: String { get }
}

extension TraceLine {
    mutating func add(_ name: String, _ value: (some TraceValue)?) {
        add(name, value?.traceText)
    }

    /// Removes an optional field and returns its value.
    mutating func take<Value: TraceValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(TraceSyntaxError) -> Value? {
        guard let text: String = take(name) else { return nil }
        guard let value = Value(traceText: text) else {
            throw TraceSyntaxError("\(name)=\(text) is not \(Value.traceSyntax)")
        }
        return value
    }

    /// Removes a required field and returns its value.
    mutating func require<Value: TraceValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(TraceSyntaxError) -> Value {
        guard let value = try take(name, as: type) else { throw TraceSyntaxError("\"\(verb)\" requires \(name)=") }
        return value
    }

    mutating func require(_ name: String) throws(TraceSyntaxError) -> String {
        guard let value: String = take(name) else { throw TraceSyntaxError("\"\(verb)\" requires \(name)=") }
        return value
    }

    /// Parses a numbered subject such as `s3`.
    static func number(_ text: String, _ prefix: Character) throws(TraceSyntaxError) -> Int {
        guard text.first == prefix, let number = Int(text.dropFirst()), number >= 0,
            "\(prefix)\(number)" == text
        else { throw TraceSyntaxError("\"\(text)\" is not \(prefix) followed by a number") }
        return number
    }

    mutating func require(_ name: String, _ prefix: Character) throws(TraceSyntaxError) -> Int {
        try Self.number(require(name), prefix)
    }
}

extension TraceValue where Self: LosslessStringConvertible {
    var traceText: String { description }

    init?(traceText: String) {
        guard let value = Self(traceText), value.description == traceText else { return nil }
        self = value
    }
}

extension Int: TraceValue { static var traceSyntax: String { "a whole number" } }
extension Int32: TraceValue { static var traceSyntax: String { "a whole number" } }
extension Int64: TraceValue { static var traceSyntax: String { "a whole number" } }
extension UInt64: TraceValue { static var traceSyntax: String { "a whole number, 0 or more" } }
extension Double: TraceValue { static var traceSyntax: String { "a number such as 1.0" } }

extension Bool: TraceValue {
    var traceText: String { self ? "yes" : "no" }
    static var traceSyntax: String { "yes or no" }

    init?(traceText: String) {
        switch traceText {
        case "yes": self = true
        case "no": self = false
        default: return nil
        }
    }
}

/// An enumeration that is written as its raw value.
protocol TraceEnumeration: TraceValue, RawRepresentable, CaseIterable where RawValue == String {}

extension TraceEnumeration {
    var traceText: String { rawValue }
    static var traceSyntax: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }

    init?(traceText: String) { self.init(rawValue: traceText) }
}

extension DeviceControl: TraceEnumeration {}
extension DeviceMedia: TraceEnumeration {}
extension DeviceKind: TraceEnumeration {}
extension DevicePosition: TraceEnumeration {}
extension DeviceTransport: TraceEnumeration {}
extension MovieCodec: TraceEnumeration {}
extension DeviceError.Code: TraceEnumeration {}
extension DroppedFrame.Reason: TraceEnumeration {}
extension AudioStreamFormat.Sample: TraceEnumeration {}

/// A time is written as `1/30`, with the suffix `~` if it was rounded and `@2` for an epoch. Times that are not numeric
/// are written by name.
extension CMTime: TraceValue {
    static var traceSyntax: String { "a time such as 1/30" }

    var traceText: String {
        guard flags.contains(.valid) else { return "invalid" }
        if flags.contains(.indefinite) { return "indefinite" }
        if flags.contains(.positiveInfinity) { return "+inf" }
        if flags.contains(.negativeInfinity) { return "-inf" }
        return "\(value)/\(timescale)" + (flags.contains(.hasBeenRounded) ? "~" : "") + (epoch == 0 ? "" : "@\(epoch)")
    }

    init?(traceText: String) {
        switch traceText {
        case "invalid": self = .invalid
        case "indefinite": self = .indefinite
        case "+inf": self = .positiveInfinity
        case "-inf": self = .negativeInfinity
        default:
            let outer = traceText.split(separator: "@", omittingEmptySubsequences: false)
            let isRounded = outer[0].hasSuffix("~")
            let parts = (isRounded ? outer[0].dropLast() : outer[0]).split(
                separator: "/", omittingEmptySubsequences: false)
            guard outer.count <= 2, parts.count == 2, let value = Int64(parts[0]), let timescale = Int32(parts[1]),
                timescale > 0, let epoch = outer.count == 2 ? Int64(outer[1]) : 0
            else { return nil }
            self.init(
                value: value, timescale: timescale, flags: isRounded ? [.valid, .hasBeenRounded] : .valid, epoch: epoch)
            if self.traceText != traceText { return nil }
        }
    }
}

extension CMVideoDimensions: TraceValue {
    static var traceSyntax: String { "a size such as 1920x1080" }
    var traceText: String { "\(width)x\(height)" }

    init?(traceText: String) {
        let sides = traceText.split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width >= 0, height >= 0 else {
            return nil
        }
        self.init(width: width, height: height)
        if self.traceText != traceText { return nil }
    }
}

extension VideoStabilization: TraceValue {
    static var traceSyntax: String { "one of \(allCases.map(\.traceText).joined(separator: ", "))" }

    var traceText: String { "\(self)" }

    init?(traceText: String) {
        guard let mode = Self.allCases.first(where: { $0.traceText == traceText }) else { return nil }
        self = mode
    }
}

extension FrameDurationRange: TraceValue {
    static var traceSyntax: String { "a range of times such as 1/60..1/30" }
    var traceText: String { "\(minimum.traceText)..\(maximum.traceText)" }

    init?(traceText: String) {
        guard let (low, high) = bounds(traceText), let minimum = CMTime(traceText: low),
            let maximum = CMTime(traceText: high)
        else { return nil }
        self.init(minimum: minimum, maximum: maximum)
    }
}

/// A range of numbers, written as `1.0..8.0`.
struct TraceRange: TraceValue {
    static var traceSyntax: String { "a range of numbers such as 1.0..8.0" }
    let range: ClosedRange<Double>
    var traceText: String { "\(range.lowerBound)..\(range.upperBound)" }

    init(_ range: ClosedRange<Double>) { self.range = range }

    init?(traceText: String) {
        guard let (low, high) = bounds(traceText), let lower = Double(traceText: low),
            let upper = Double(traceText: high), lower <= upper
        else { return nil }
        range = lower...upper
    }
}

/// A comma-separated list.
struct TraceList<Element: TraceValue>: TraceValue {
    static var traceSyntax: String { "a comma-separated list, each element \(Element.traceSyntax)" }
    let elements: [Element]
    var traceText: String { elements.map(\.traceText).joined(separator: ",") }

    init(_ elements: [Element]) { self.elements = elements }

    init?(traceText: String) {
        var elements: [Element] = []
        for part in traceText.split(separator: ",", omittingEmptySubsequences: false) where !traceText.isEmpty {
            guard let element = Element(traceText: String(part)) else { return nil }
            elements.append(element)
        }
        self.elements = elements
    }
}

/// A four-character code, written as its characters if they are printable and as a number otherwise.
struct TraceCode: TraceValue {
    static var traceSyntax: String { "a four-character code or a number such as 0x00000020" }
    let code: OSType

    init(_ code: OSType) { self.code = code }

    var traceText: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
        // "0x…" has ten characters, so the two forms are never ambiguous.
        if bytes.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        let digits = String(code, radix: 16)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    init?(traceText: String) {
        if traceText.utf8.count == 4 {
            code = traceText.utf8.reduce(0) { $0 << 8 | OSType($1) }
        } else if traceText.hasPrefix("0x"), traceText.utf8.count == 10,
            let code = OSType(traceText.dropFirst(2), radix: 16)
        {
            self.code = code
        } else {
            return nil
        }
        if self.traceText != traceText { return nil }
    }
}

extension ControlValue: TraceValue {
    static var traceSyntax: String { "a value such as flag(yes), option(1), number(0.5) or point(0.5,0.5)" }

    var traceText: String {
        switch self {
        case .flag(let flag): "flag(\(flag.traceText))"
        case .integer(let option): "option(\(option))"
        case .number(let number): "number(\(number))"
        case .point(let x, let y): "point(\(x),\(y))"
        }
    }

    init?(traceText: String) {
        guard let (kind, argument) = nameAndArgument(traceText) else { return nil }
        switch kind {
        case "flag":
            guard let flag = Bool(traceText: argument) else { return nil }
            self = .flag(flag)
        case "option":
            guard let option = Int64(traceText: argument) else { return nil }
            self = .integer(option)
        case "number":
            guard let number = Double(traceText: argument) else { return nil }
            self = .number(number)
        case "point":
            guard let list = TraceList<Double>(traceText: argument)?.elements, list.count == 2 else { return nil }
            self = .point(x: list[0], y: list[1])
        default: return nil
        }
    }
}

extension ControlRange: TraceValue {
    static var traceSyntax: String {
        "a range such as flag(no), options(0,1;0), number(1.0..8.0;0.0;1.0) or point(0.5,0.5), the default last"
    }

    var traceText: String {
        switch self {
        case .flag(let value): "flag(\(value.traceText))"
        case .options(let options, let value): "options(\(TraceList(options.sorted()).traceText);\(value))"
        case .number(let range, let step, let value): "number(\(TraceRange(range).traceText);\(step);\(value))"
        case .point(let x, let y): "point(\(x),\(y))"
        }
    }

    init?(traceText: String) {
        guard let (kind, argument) = nameAndArgument(traceText) else { return nil }
        let parts = argument.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        switch (kind, parts.count) {
        case ("flag", 1):
            guard let value = Bool(traceText: argument) else { return nil }
            self = .flag(default: value)
        case ("options", 2):
            guard let options = TraceList<Int64>(traceText: parts[0]), let value = Int64(traceText: parts[1])
            else { return nil }
            self = .options(Set(options.elements), default: value)
            // The options are in ascending order, without duplicates.
            if self.traceText != traceText { return nil }
        case ("number", 3):
            guard let range = TraceRange(traceText: parts[0]), let step = Double(traceText: parts[1]),
                let value = Double(traceText: parts[2])
            else { return nil }
            self = .number(range.range, step: step, default: value)
        case ("point", 1):
            guard let list = TraceList<Double>(traceText: argument)?.elements, list.count == 2 else { return nil }
            self = .point(defaultX: list[0], defaultY: list[1])
        default: return nil
        }
    }
}

/// Splits `low..high`.
private func bounds(_ text: String) -> (String, String)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    return (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
}

/// Splits `name(argument)`.
private func nameAndArgument(_ text: String) -> (String, String)? {
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
    return (String(text[..<open]), String(text[text.index(after: open)...].dropLast()))
}
