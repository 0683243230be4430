import CaptureHAL
import MediaTypes

/// A value with a form in a trace's index that reads back as the same value.
protocol TraceValue {
    var traceText: String { get }
    /// nil where the text is not in the one form.
    init?(traceText: String)
    /// What the form is, for complaints.
    static var traceForm: String { get }
}

extension TraceLine {
    mutating func add(_ name: String, _ value: (some TraceValue)?) {
        add(name, value?.traceText)
    }

    /// Takes a value that may be missing.
    mutating func take<Value: TraceValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(TraceComplaint) -> Value? {
        guard let text: String = take(name) else { return nil }
        guard let value = Value(traceText: text) else {
            throw TraceComplaint("\(name)=\(text) is not \(Value.traceForm)")
        }
        return value
    }

    /// Takes a value that must be there.
    mutating func need<Value: TraceValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(TraceComplaint) -> Value {
        guard let value = try take(name, as: type) else { throw TraceComplaint("\"\(verb)\" lacks \(name)=") }
        return value
    }

    mutating func need(_ name: String) throws(TraceComplaint) -> String {
        guard let value: String = take(name) else { throw TraceComplaint("\"\(verb)\" lacks \(name)=") }
        return value
    }

    /// The number of a subject such as `s3`.
    static func number(_ text: String, _ prefix: Character) throws(TraceComplaint) -> Int {
        guard text.first == prefix, let number = Int(text.dropFirst()), number >= 0,
            "\(prefix)\(number)" == text
        else { throw TraceComplaint("\"\(text)\" is not \(prefix) with a number") }
        return number
    }

    mutating func need(_ name: String, _ prefix: Character) throws(TraceComplaint) -> Int {
        try Self.number(need(name), prefix)
    }
}

extension TraceValue where Self: LosslessStringConvertible {
    var traceText: String { description }

    init?(traceText: String) {
        guard let value = Self(traceText), value.description == traceText else { return nil }
        self = value
    }
}

extension Int: TraceValue { static var traceForm: String { "a whole number" } }
extension Int32: TraceValue { static var traceForm: String { "a whole number" } }
extension Int64: TraceValue { static var traceForm: String { "a whole number" } }
extension UInt64: TraceValue { static var traceForm: String { "a whole number, 0 or more" } }
extension Double: TraceValue { static var traceForm: String { "a number as 1.0" } }

extension Bool: TraceValue {
    var traceText: String { self ? "yes" : "no" }
    static var traceForm: String { "yes or no" }

    init?(traceText: String) {
        switch traceText {
        case "yes": self = true
        case "no": self = false
        default: return nil
        }
    }
}

/// An enumeration by its raw text.
protocol TraceWord: TraceValue, RawRepresentable, CaseIterable where RawValue == String {}

extension TraceWord {
    var traceText: String { rawValue }
    static var traceForm: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }

    init?(traceText: String) { self.init(rawValue: traceText) }
}

extension DeviceControl: TraceWord {}
extension DeviceMedia: TraceWord {}
extension DeviceKind: TraceWord {}
extension DevicePosition: TraceWord {}
extension DeviceTransport: TraceWord {}
extension DeviceError.Code: TraceWord {}
extension DroppedFrame.Reason: TraceWord {}
extension AudioStreamFormat.Sample: TraceWord {}

/// As `1/30`; `~` marks a rounded one, `@2` an epoch, and the others have their names.
extension CMTime: TraceValue {
    static var traceForm: String { "a time as 1/30" }

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
    static var traceForm: String { "a size as 1920x1080" }
    var traceText: String { "\(width)x\(height)" }

    init?(traceText: String) {
        let sides = traceText.split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width >= 0, height >= 0 else {
            return nil
        }
        self.init(width: width, height: height)
    }
}

extension VideoStabilization: TraceValue {
    static var traceForm: String { "one of \(allCases.map(\.traceText).joined(separator: ", "))" }

    var traceText: String { "\(self)" }

    init?(traceText: String) {
        guard let mode = Self.allCases.first(where: { $0.traceText == traceText }) else { return nil }
        self = mode
    }
}

extension FrameDurationRange: TraceValue {
    static var traceForm: String { "a range of times as 1/60..1/30" }
    var traceText: String { "\(minimum.traceText)..\(maximum.traceText)" }

    init?(traceText: String) {
        guard let (low, high) = ends(traceText), let minimum = CMTime(traceText: low),
            let maximum = CMTime(traceText: high)
        else { return nil }
        self.init(minimum: minimum, maximum: maximum)
    }
}

/// A range of numbers as `1.0..8.0`.
struct TraceRange: TraceValue {
    static var traceForm: String { "a range of numbers as 1.0..8.0" }
    let range: ClosedRange<Double>
    var traceText: String { "\(range.lowerBound)..\(range.upperBound)" }

    init(_ range: ClosedRange<Double>) { self.range = range }

    init?(traceText: String) {
        guard let (low, high) = ends(traceText), let lower = Double(low), let upper = Double(high), lower <= upper
        else { return nil }
        range = lower...upper
    }
}

/// A list with commas.
struct TraceList<Element: TraceValue>: TraceValue {
    static var traceForm: String { "a list, with commas, of what is each \(Element.traceForm)" }
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

/// A four-character code as its characters where those are letters, digits or marks, else as a number.
struct TraceCode: TraceValue {
    static var traceForm: String { "a code of four characters, or its number as 0x00000020" }
    let code: OSType

    init(_ code: OSType) { self.code = code }

    var traceText: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
        // "0x…" has ten characters, so the two forms never meet.
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
    static var traceForm: String { "a value as flag(yes), option(1), number(0.5) or point(0.5,0.5)" }

    var traceText: String {
        switch self {
        case .flag(let flag): "flag(\(flag.traceText))"
        case .integer(let option): "option(\(option))"
        case .number(let number): "number(\(number))"
        case .point(let x, let y): "point(\(x),\(y))"
        }
    }

    init?(traceText: String) {
        guard let (kind, inside) = call(traceText) else { return nil }
        switch kind {
        case "flag":
            guard let flag = Bool(traceText: inside) else { return nil }
            self = .flag(flag)
        case "option":
            guard let option = Int64(inside) else { return nil }
            self = .integer(option)
        case "number":
            guard let number = Double(inside) else { return nil }
            self = .number(number)
        case "point":
            guard let list = TraceList<Double>(traceText: inside)?.elements, list.count == 2 else { return nil }
            self = .point(x: list[0], y: list[1])
        default: return nil
        }
    }
}

extension ControlRange: TraceValue {
    static var traceForm: String {
        "a range as flag(no), options(0,1;0), number(1.0..8.0;0.0;1.0) or point(0.5,0.5), the default last"
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
        guard let (kind, inside) = call(traceText) else { return nil }
        let parts = inside.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        switch (kind, parts.count) {
        case ("flag", 1):
            guard let value = Bool(traceText: inside) else { return nil }
            self = .flag(default: value)
        case ("options", 2):
            guard let options = TraceList<Int64>(traceText: parts[0]), let value = Int64(parts[1]) else { return nil }
            self = .options(Set(options.elements), default: value)
        case ("number", 3):
            guard let range = TraceRange(traceText: parts[0]), let step = Double(parts[1]), let value = Double(parts[2])
            else { return nil }
            self = .number(range.range, step: step, default: value)
        case ("point", 1):
            guard let list = TraceList<Double>(traceText: inside)?.elements, list.count == 2 else { return nil }
            self = .point(defaultX: list[0], defaultY: list[1])
        default: return nil
        }
    }
}

/// Both ends of `low..high`.
private func ends(_ text: String) -> (String, String)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    return (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
}

/// Name and inside of `name(inside)`.
private func call(_ text: String) -> (String, String)? {
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
    return (String(text[..<open]), String(text[text.index(after: open)...].dropLast()))
}
