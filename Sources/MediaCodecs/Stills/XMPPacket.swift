import Foundation

/// The properties of an XMP packet (ISO 16684-1): the values of attributes, elements, and items of lists.
///
/// The packet is scanned, not validated: a damaged one has the properties that can be found.
struct XMPPacket {
    /// The namespaces of the properties in use.
    enum Namespace: String {
        case exif = "http://ns.adobe.com/exif/1.0/"
        case dublinCore = "http://purl.org/dc/elements/1.1/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"
        case rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        case meta = "adobe:ns:meta/"
        case tiff = "http://ns.adobe.com/tiff/1.0/"
        case xmp = "http://ns.adobe.com/xap/1.0/"
        case depthData = "http://ns.apple.com/depthData/1.0/"
        case pixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
    }

    /// A value in the order of the packet.
    struct Entry {
        /// The namespace and the name of the property, separated by a space; nil in a structure.
        var key: String?
        /// The name with its prefix. In a structure, the names of the elements that contain the value precede it.
        var name: String
        var text: String
    }

    /// The first values by namespace and name, separated by a space. Items of lists are not included.
    private var values: [String: String] = [:]
    private(set) var entries: [Entry] = []

    /// Scans a packet in UTF-8.
    init(_ data: Data) {
        var rest = Substring(String(decoding: data, as: UTF8.self))
        // The prefix of each namespace. Writers declare a prefix once; nested declarations have the same value.
        var prefixes: [Substring: Substring] = [:]
        var elements: [Substring] = []
        // The start of the text of the last element, unless it contains another one.
        var textStart: Substring.Index?
        while let start = rest.firstIndex(of: "<") {
            let tag = rest[rest.index(after: start)...]
            guard let end = tag.firstIndex(of: ">") else { return }
            let content = tag[..<end]
            if content.first == "/" {
                let name = content.dropFirst().drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
                if let textStart, elements.last == name { add(elements, rest[textStart..<start], prefixes) }
                if let index = elements.lastIndex(of: name) { elements.removeSubrange(index...) }
                textStart = nil
            } else if let first = content.first, !"?!".contains(first) {
                let attributes = Self.attributes(content)
                for (name, value) in attributes where name.hasPrefix("xmlns:") { prefixes[name.dropFirst(6)] = value }
                let element = content.prefix { !$0.isWhitespace && $0 != "/" }
                for (name, value) in attributes { add(elements + [element, name], value, prefixes) }
                if !content.hasSuffix("/") { elements.append(element) }
                textStart = content.hasSuffix("/") ? nil : tag.index(after: end)
            } else {
                textStart = nil
            }
            rest = tag[tag.index(after: end)...]
        }
    }

    /// Returns the values of a property: one, or those of a list.
    func values(_ namespace: Namespace, _ name: String) -> [String] {
        entries.filter { $0.key == namespace.rawValue + " " + name }.map(\.text)
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

    /// Adds the value of the last of nested elements, or of an attribute, whose name then follows.
    private mutating func add(_ path: [Substring], _ value: Substring, _ prefixes: [Substring: Substring]) {
        let text = Self.unescaped(value).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        let names = path.compactMap { name -> (namespace: String, name: Substring)? in
            guard let colon = name.firstIndex(of: ":"), let namespace = prefixes[name[..<colon]] else { return nil }
            return (String(namespace), name)
        }
        func key(_ name: (namespace: String, name: Substring)) -> String {
            name.namespace + " " + name.name.drop { $0 != ":" }.dropFirst()
        }
        // An attribute like `xml:lang` has no namespace of its own.
        guard let last = names.last, last.name == path.last else { return }
        // The first value is that of the photo; later ones describe its history and ingredients.
        if values[key(last)] == nil { values[key(last)] = text }
        let isList = last.name.hasSuffix(":li") && last.namespace == Namespace.rdf.rawValue
        guard isList || ![Namespace.rdf.rawValue, Namespace.meta.rawValue].contains(last.namespace) else { return }
        let properties = names.filter { ![Namespace.rdf.rawValue, Namespace.meta.rawValue].contains($0.namespace) }
        guard let property = properties.first else { return }
        entries.append(
            Entry(
                key: properties.count == 1 ? key(property) : nil,
                name: properties.map { String($0.name) }.joined(separator: "/"), text: text))
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

    /// Replaces the predefined entities and the character references of XML.
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: start)..<end])
            else {
                result.append(rest.removeFirst())
                continue
            }
            result.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Returns the character of an entity or a reference, such as `amp` or `#xA`.
    private static func character(_ name: Substring) -> Character? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "amp": return "&"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap { Unicode.Scalar($0) }.map { Character($0) }
        }
    }
}

extension XMPPacket {
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
