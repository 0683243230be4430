package import Foundation

/// The simple properties of an XMP packet (ISO 16684-1): those with one value, as attributes or elements.
///
/// The packet is scanned, not validated: a damaged one has the properties that can be found.
package struct XMPPacket {
    /// The namespaces of the properties in use.
    enum Namespace: String {
        case exif = "http://ns.adobe.com/exif/1.0/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"
        case tiff = "http://ns.adobe.com/tiff/1.0/"
        case xmp = "http://ns.adobe.com/xap/1.0/"
        case depthData = "http://ns.apple.com/depthData/1.0/"
        case pixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
    }

    /// The values by namespace and name, separated by a space.
    private var values: [String: String] = [:]

    /// Scans a packet in UTF-8.
    init(_ data: Data) {
        var rest = Substring(String(decoding: data, as: UTF8.self))
        // The prefix of each namespace. Writers declare a prefix once; nested declarations have the same value.
        var prefixes: [Substring: Substring] = [:]
        var open: (name: Substring, text: Substring.Index)?
        while let start = rest.firstIndex(of: "<") {
            let tag = rest[rest.index(after: start)...]
            guard let end = tag.firstIndex(of: ">") else { return }
            let content = tag[..<end]
            if let element = open, content.first == "/", content.dropFirst().drop(while: \.isWhitespace) == element.name
            {
                set(element.name, rest[element.text..<start], prefixes)
            }
            open = nil
            if let first = content.first, !"/?!".contains(first) {
                let attributes = Self.attributes(content)
                for (name, value) in attributes where name.hasPrefix("xmlns:") { prefixes[name.dropFirst(6)] = value }
                for (name, value) in attributes { set(name, value, prefixes) }
                if !content.hasSuffix("/") {
                    open = (content.prefix { !$0.isWhitespace }, tag.index(after: end))
                }
            }
            rest = tag[tag.index(after: end)...]
        }
    }

    /// Returns the value of a property; nil if there is none.
    func value(_ namespace: Namespace, _ name: String) -> String? { values[namespace.rawValue + " " + name] }

    /// The properties of Apple's auxiliary images, by name with the usual prefix.
    var appleProperties: [String: String] {
        let prefixes = [Namespace.depthData: "depthData:", .pixelData: "apdi:"]
        return values.reduce(into: [:]) { result, entry in
            for (namespace, prefix) in prefixes where entry.key.hasPrefix(namespace.rawValue + " ") {
                result[prefix + entry.key.dropFirst(namespace.rawValue.count + 1)] = entry.value
            }
        }
    }

    private mutating func set(_ name: Substring, _ value: Substring, _ prefixes: [Substring: Substring]) {
        guard let colon = name.firstIndex(of: ":"), let namespace = prefixes[name[..<colon]] else { return }
        let text = Self.unescaped(value).trimmingCharacters(in: .whitespacesAndNewlines)
        let key = namespace + " " + name[name.index(after: colon)...]
        // The first value is that of the photo; later ones describe its history and ingredients.
        if !text.isEmpty, values[String(key)] == nil { values[String(key)] = text }
    }

    /// Returns the names and the values of the attributes of a start tag.
    private static func attributes(_ tag: Substring) -> [(Substring, Substring)] {
        var result: [(Substring, Substring)] = []
        var rest = tag.drop { !$0.isWhitespace }
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            guard let quote = value.first, quote == "\"" || quote == "'" else { break }
            let text = value.dropFirst()
            guard let end = text.firstIndex(of: quote) else { break }
            result.append((name, text[..<end]))
            rest = text[text.index(after: end)...]
        }
        return result
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

extension XMPPacket {
    /// Returns the items of a list (`rdf:li`) in the packet of a file. The packet is text in the file.
    ///
    /// - Parameter property: The name with the usual prefix, such as `dc:subject`.
    package static func items(of property: String, in file: Data) -> [String] {
        guard let start = file.range(of: Data("<\(property)>".utf8)),
            let end = file.range(of: Data("</\(property)>".utf8), in: start.upperBound..<file.endIndex)
        else { return [] }
        let list = String(decoding: file[start.upperBound..<end.lowerBound], as: UTF8.self)
        return list.components(separatedBy: "<rdf:li").dropFirst().compactMap { item in
            guard let open = item.firstIndex(of: ">"), let close = item.range(of: "</rdf:li>") else { return nil }
            return unescaped(item[item.index(after: open)..<close.lowerBound])
        }
    }

    /// The location in EXIF's properties; nil if there is none.
    var location: EXIF.Location? {
        guard let latitude = Self.angle(value(.exif, "GPSLatitude"), negative: "S"),
            let longitude = Self.angle(value(.exif, "GPSLongitude"), negative: "W")
        else { return nil }
        var location = EXIF.Location(latitude: latitude, longitude: longitude)
        let parts = (value(.exif, "GPSAltitude") ?? "").split(separator: "/").compactMap { Double($0) }
        if let altitude = parts.count == 2 ? (parts[1] == 0 ? nil : parts[0] / parts[1]) : parts.first {
            location.altitude = value(.exif, "GPSAltitudeRef") == "1" ? -altitude : altitude
        }
        return location
    }

    /// Parses an angle: `48,51,27.72N` or `48,51.462N` (ISO 16684-2, GPSCoordinate).
    private static func angle(_ text: String?, negative: Character) -> Double? {
        guard let text, let reference = text.last, reference.isLetter else { return nil }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
        let value = parts.compactMap { $0 }.reversed().reduce(0) { $0 / 60 + $1 }
        return reference == negative ? -value : value
    }
}
