/// Writes an XMP packet (ISO 16684-1) with properties of one resource, as elements.
package struct XMPWriter {
    /// The namespaces by prefix.
    private let namespaces: [(prefix: String, uri: String)]
    private var elements = ""

    /// Creates a packet without properties.
    ///
    /// - Parameter namespaces: Those of all properties.
    package init(namespaces: [(prefix: String, uri: String)]) { self.namespaces = namespaces }

    /// Adds a property with a simple value.
    ///
    /// - Parameter name: The name with its prefix, such as `tiff:Make`.
    package mutating func add(_ name: String, _ value: String) {
        elements += "   <\(name)>\(Self.escaped(value))</\(name)>\n"
    }

    /// Adds a property with several values.
    ///
    /// - Parameter isOrdered: Whether their order has a meaning.
    package mutating func add(_ name: String, _ values: [String], isOrdered: Bool) {
        let container = isOrdered ? "rdf:Seq" : "rdf:Bag"
        elements += "   <\(name)>\n    <\(container)>\n"
        for value in values { elements += "     <rdf:li>\(Self.escaped(value))</rdf:li>\n" }
        elements += "    </\(container)>\n   </\(name)>\n"
    }

    /// The packet.
    package var text: String {
        let declarations = namespaces.map { "\n    xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""\(declarations)>
            \(elements)  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }

    /// Escapes the characters with a meaning in XML, and removes those that it cannot contain. The text is one line.
    private static func escaped(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": line += " "
            case "&": line += "&amp;"
            case "<": line += "&lt;"
            case ">": line += "&gt;"
            case "\"": line += "&quot;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
