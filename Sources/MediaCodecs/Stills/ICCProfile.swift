package import Foundation

/// Color profiles of the International Color Consortium (ICC.1:2010, version 4.3).
package enum ICCProfile {
    /// CIE XYZ of red, green and blue of Display P3, adapted to D50 by the Bradford matrix.
    private static let displayP3Colorants = [
        [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    ]
    /// The signatures of the tags of the colorants.
    private static let colorantTags = ["rXYZ", "gXYZ", "bXYZ"]

    /// The profile of Display P3: the primaries of SMPTE RP 431-2, the white point D65 and the transfer function of sRGB.
    package static let displayP3: Data = {
        let curve = parametricCurve([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        // The Bradford adaptation from D65 to D50.
        let adaptation = [
            1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168,
        ]
        var tags: [(signature: String, data: Data)] = [
            ("desc", text("Display P3")), ("cprt", text("Public domain")),
            ("wtpt", element("XYZ ", whiteD50.map(fixed))), ("chad", element("sf32", adaptation.map(fixed))),
        ]
        for (signature, colorant) in zip(colorantTags, displayP3Colorants) {
            tags.append((signature, element("XYZ ", colorant.map(fixed))))
        }
        for signature in ["rTRC", "gTRC", "bTRC"] { tags.append((signature, curve)) }
        return profile(tags)
    }()

    private static let whiteD50 = [0.96420, 1, 0.82491]

    /// Whether a profile has the colorants of Display P3. Its transfer function is then taken as that of sRGB.
    package static func isDisplayP3(_ profile: Data) -> Bool {
        let bytes = [UInt8](profile)
        guard bytes.count > 132, Array(bytes[36..<40]) == Array("acsp".utf8) else { return false }
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let count = min(number(128), (bytes.count - 132) / 12)
        var colorants: [String: [Double]] = [:]
        for index in 0..<count {
            let entry = 132 + 12 * index
            let signature = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
            let (offset, size) = (number(entry + 4), number(entry + 8))
            guard colorantTags.contains(signature), size >= 20, offset <= bytes.count - 20 else { continue }
            colorants[signature] = (0..<3).map {
                Double(Int32(truncatingIfNeeded: number(offset + 8 + 4 * $0))) / 65536
            }
        }
        return zip(colorantTags, displayP3Colorants).allSatisfy { signature, expected in
            guard let found = colorants[signature] else { return false }
            return zip(found, expected).allSatisfy { abs($0 - $1) < 0.002 }
        }
    }

    // MARK: Elements

    private static func bigEndian(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// Returns a number as `s15Fixed16Number`.
    private static func fixed(_ number: Double) -> Data { bigEndian(Int((number * 65536).rounded())) }

    private static func element(_ type: String, _ numbers: [Data]) -> Data {
        Data(type.utf8) + Data(count: 4) + numbers.reduce(Data(), +)
    }

    /// Returns the function (a·x + b)^g for x of at least d, and c·x below (`parametricCurveType`, type 3).
    ///
    /// - Parameter parameters: g, a, b, c and d.
    private static func parametricCurve(_ parameters: [Double]) -> Data {
        element("para", [bigEndian(3, 2), bigEndian(0, 2)] + parameters.map(fixed))
    }

    /// Returns an English text (`multiLocalizedUnicodeType`).
    private static func text(_ text: String) -> Data {
        let characters = text.utf16.reduce(into: Data()) { $0 += bigEndian(Int($1), 2) }
        return element(
            "mluc",
            [bigEndian(1), bigEndian(12), Data("enUS".utf8), bigEndian(characters.count), bigEndian(28), characters])
    }

    /// Returns a profile of a display with equal elements stored once.
    private static func profile(_ tags: [(signature: String, data: Data)]) -> Data {
        let start = 128 + 4 + 12 * tags.count
        var (table, elements) = (bigEndian(tags.count), Data())
        var offsets: [Data: Int] = [:]
        for tag in tags {
            let offset = offsets[tag.data] ?? start + elements.count
            if offsets[tag.data] == nil {
                offsets[tag.data] = offset
                elements += tag.data + Data(count: (4 - tag.data.count % 4) % 4)
            }
            table += Data(tag.signature.utf8) + bigEndian(offset) + bigEndian(tag.data.count)
        }
        var header = bigEndian(start + elements.count) + bigEndian(0) + bigEndian(0x0430_0000)
        header += Data("mntrRGB XYZ ".utf8)
        // The date of creation is fixed, so that files are repeatable.
        for part in [2026, 1, 1, 0, 0, 0] { header += bigEndian(part, 2) }
        header += Data("acsp".utf8) + Data(count: 28) + whiteD50.map(fixed).reduce(Data(), +)
        return header + Data(count: 128 - header.count) + table + elements
    }
}
