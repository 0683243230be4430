import Foundation

/// A BCP 47 language tag in canonical form, with the shortest code of the language: `eng` and `en` are equal.
package struct LanguageTag: Hashable {
    /// The tag, such as `pt-BR`.
    package let text: String

    /// Creates a tag.
    ///
    /// - Parameter identifier: A BCP 47 tag, an ISO 639-2/T code or the identifier of a locale.
    package init(_ identifier: String) { text = Locale(identifier: identifier).identifier(.bcp47) }

    /// Whether the tags are equal, or one is a prefix of the other: `pt` matches `pt-BR` and vice versa.
    package func matches(_ other: LanguageTag) -> Bool {
        self == other || text.hasPrefix(other.text + "-") || other.text.hasPrefix(text + "-")
    }
}

extension Array {
    /// Returns the elements that match a preferred language, each once, in the order of the preferred languages.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 language tags.
    ///   - tag: Returns the language of an element; nil if it has none.
    package func filteredAndSorted(
        byPreferredLanguages languages: [String], _ tag: (Element) -> LanguageTag?
    ) -> [Element] {
        let languages = languages.map(LanguageTag.init)
        let matches = compactMap { element in
            tag(element).flatMap { languages.firstIndex(where: $0.matches) }.map { (language: $0, element: element) }
        }
        return languages.indices.flatMap { language in
            matches.filter { $0.language == language }.map(\.element)
        }
    }
}
