/// The units in which a quantity may be written in files, such as `mm`, `cm` and `m`.
package struct YAMLUnit: Sendable {
    /// The name of each unit, and the factor that converts a number with this unit to the first one.
    package let names: [(name: String, factor: Double)]

    /// Creates a set of units.
    ///
    /// - Parameter names: The units; none for plain numbers. Numbers are returned in the first unit.
    package init(names: [(name: String, factor: Double)]) {
        self.names = names
    }

    package static let none = YAMLUnit(names: [])
    package static let millimeters = YAMLUnit(names: [("mm", 1), ("cm", 10), ("m", 1000)])
    package static let seconds = YAMLUnit(
        names: [("s", 1), ("ms", 0.001), ("us", 0.000001), ("min", 60), ("h", 3600)])
    package static let hertz = YAMLUnit(names: [("Hz", 1), ("kHz", 1000)])
    package static let decibels = YAMLUnit(names: [("dBFS", 1)])
    package static let relativeDecibels = YAMLUnit(names: [("dB", 1)])
    package static let kelvin = YAMLUnit(names: [("K", 1)])
    package static let electrons = YAMLUnit(names: [("e", 1)])
    package static let meters = YAMLUnit(names: [("m", 1), ("cm", 0.01), ("mm", 0.001)])
    package static let lux = YAMLUnit(names: [("lx", 1)])
    package static let luxSeconds = YAMLUnit(names: [("lx*s", 1)])
    package static let framesPerSecond = YAMLUnit(names: [("fps", 1)])

    /// The reason why a text is not a quantity.
    package enum ParsingError: Error {
        case noNumber
        /// The text is a fraction with a denominator of zero.
        case divisionByZero
        /// The number is a spelling of .inf or .nan (YAML 1.2.2, section 10.2.1.4), or too large.
        case notFinite
        case missingUnit
        /// The number has a unit, but the quantity is a plain number.
        case extraUnit
        case unknownUnit(String)
    }

    /// Parses a number with its unit, with or without a space between them: `24 mm`, `24mm` or `1/8000 s`.
    ///
    /// - Returns: The number in the first unit.
    package func number(in text: String) throws(ParsingError) -> Double {
        let (numeral, unit) = Self.parts(of: text)
        let number = try Self.number(numeral)
        if names.isEmpty {
            guard unit.isEmpty else { throw .extraUnit }
            return number
        }
        guard !unit.isEmpty else { throw .missingUnit }
        guard let known = names.first(where: { $0.name == unit }) else { throw .unknownUnit(unit) }
        return number * known.factor
    }

    /// Splits a quantity at the spaces after the number, or at the first letter that is not part of the number.
    private static func parts(of text: String) -> (number: String, unit: String) {
        if let space = text.firstIndex(of: " ") {
            return (String(text[..<space]), String(text[space...].drop { $0 == " " }))
        }
        let characters = Array(text)
        let start = characters.indices.first { index in
            guard characters[index].isLetter else { return false }
            // The `e` of an exponent is followed by digits, which can have a sign.
            let exponent = characters[(index + 1)...].drop { "+-".contains($0) }
            return !("eE".contains(characters[index]) && exponent.first?.isNumber ?? false)
        }
        guard let start, characters[..<start].contains(where: "0123456789".contains) else { return (text, "") }
        return (String(characters[..<start]), String(characters[start...]))
    }

    /// Parses a decimal number, such as `1.5` or `1e3`, or a fraction of two.
    private static func number(_ text: String) throws(ParsingError) -> Double {
        let unsigned = text.lowercased().drop { "+-.".contains($0) }
        if unsigned == "inf" || unsigned == "nan" { throw .notFinite }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Double? in
            guard part.allSatisfy({ "0123456789.+-eE".contains($0) }) else { return nil }
            return Double(part)
        }
        guard numbers.count == parts.count, (1...2).contains(numbers.count) else { throw .noNumber }
        guard numbers.allSatisfy(\.isFinite) else { throw .notFinite }
        guard numbers.count == 2 else { return numbers[0] }
        if numbers[1] == 0 { throw .divisionByZero }
        let quotient = numbers[0] / numbers[1]
        guard quotient.isFinite else { throw .notFinite }
        return quotient
    }
}

extension YAMLValue {
    /// Reads a number with its unit, for example `24 mm`, `24mm`, `1/8000 s` or, without a unit, `1.8`.
    ///
    /// - Parameter range: The valid range, in the first unit.
    /// - Returns: The number in the first unit.
    package func quantity(_ unit: YAMLUnit, in range: ClosedRange<Double>) throws(YAMLError) -> Double {
        if isReported { return range.lowerBound }
        let text = try string()
        let example = unit.names.first.map { " \($0.name)" } ?? ""
        let remedy = "write a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))\(example)"
        let names = unit.names.map(\.name).joined(separator: ", ")
        let value: Double
        do throws(YAMLUnit.ParsingError) {
            value = try unit.number(in: text)
        } catch {
            switch error {
            case .noNumber: throw self.error("\"\(text)\" does not begin with a number", remedy)
            case .divisionByZero: throw self.error("\"\(text)\" divides by zero", remedy)
            case .notFinite: throw self.error("\"\(text)\" is not a finite number", remedy)
            case .extraUnit: throw self.error("\"\(text)\" has a unit", "the value is a plain number: \(remedy)")
            case .missingUnit: throw self.error("\"\(text)\" has no unit", "add one: \(names)")
            case .unknownUnit(let unit): throw self.error("\"\(unit)\" is not a valid unit here", "use \(names)")
            }
        }
        guard range.contains(value) else { throw error("\(text) is out of range", remedy) }
        return value
    }

    /// Returns a range, written as a list of its lower and upper bound.
    package func quantityRange(
        _ unit: YAMLUnit, in range: ClosedRange<Double>
    ) throws(YAMLError) -> ClosedRange<Double> {
        let bounds = try list(minimumCount: 2)
        guard bounds.count == 2 else { throw error("a range has two bounds, not \(bounds.count)", "write [low, high]") }
        let low = try bounds[0].quantity(unit, in: range)
        let high = try bounds[1].quantity(unit, in: range)
        guard low <= high else { throw error("the range ends before it begins", "write the lower bound first") }
        return low...high
    }

    /// Returns a width and height, for example `1920x1080`, both even.
    package func size() throws(YAMLError) -> (width: Int, height: Int) {
        if isReported { return (16, 16) }
        let text = try string()
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, text.filter({ $0 == "x" }).count == 1 else {
            throw error("\"\(text)\" is not a size", "write the width and height in pixels, for example 1920x1080")
        }
        guard sides.allSatisfy({ (16...16384).contains($0) && $0 % 2 == 0 }) else {
            throw error("\(text) is not a valid size", "each side must be an even number from 16 to 16384")
        }
        return (sides[0], sides[1])
    }

    /// Formats a number without a fraction part if it is an integer.
    private func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }
}
