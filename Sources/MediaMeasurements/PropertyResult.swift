import Foundation

/// The result of comparing one property of a file.
package struct PropertyResult {
    package var expected: String
    package var seen: String
    package var isMet: Bool

    package init(_ expected: String, _ seen: String, isMet: Bool) {
        (self.expected, self.seen, self.isMet) = (expected, seen, isMet)
    }

    /// Checks whether a file exists; nil if it exists as expected, so that its properties can be compared.
    static func existence(of url: URL, isExpected: Bool) -> PropertyResult? {
        let expected = isExpected ? "that it exists" : "that it does not exist"
        guard FileManager.default.fileExists(atPath: url.path) else {
            return PropertyResult(expected, "there is no file \(url.lastPathComponent)", isMet: !isExpected)
        }
        return isExpected ? nil : PropertyResult(expected, "it exists", isMet: false)
    }
}
