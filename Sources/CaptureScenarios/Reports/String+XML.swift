extension String {
    /// The text escaped for elements and attributes of XML and HTML. Control characters other than newlines and tabs
    /// become U+FFFD.
    package var xmlEscaped: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
