/// A property of a buffer: a category and a 64-bit value.
///
/// - Important: Thread-safe, immutable. Equality is by category and value.
public class CMTag: Equatable, Hashable, CustomStringConvertible, @unchecked Sendable {
    // SAFETY: all properties are constants, also in subclasses.
    /// The four-character code of a category.
    public typealias RawCategory = FourCharCode

    /// The value of a tag, with its type.
    public enum Value: Hashable, Sendable {
        case int64(Int64)
        case float64(Float64)
        case osType(OSType)
        case flags(UInt64)
    }

    public final let rawCategory: RawCategory
    public final let rawTagValue: Value

    /// Creates a tag.
    public init(rawCategory: RawCategory, rawTagValue: Value) {
        self.rawCategory = rawCategory
        self.rawTagValue = rawTagValue
    }

    /// Returns the value if the tag has a category; nil for tags of other categories.
    public final func value<T: Sendable>(onlyIfMatching category: CMTypedTag<T>.Category) -> T? {
        rawCategory == category.rawCategory ? category.value(for: rawTagValue) : nil
    }

    public static func == (left: CMTag, right: CMTag) -> Bool {
        left.rawCategory == right.rawCategory && left.rawTagValue == right.rawTagValue
    }

    public final func hash(into hasher: inout Hasher) {
        hasher.combine(rawCategory)
        hasher.combine(rawTagValue)
    }

    public var description: String {
        let value =
            switch rawTagValue {
            case .int64(let value): "\(value)"
            case .float64(let value): "\(value)"
            case .osType(let value): fourCharacterText(value)
            case .flags(let value): "0x\(String(value, radix: 16))"
            }
        return "{category:\(fourCharacterText(rawCategory)) value:\(value)}"
    }
}

/// A tag with a value of a Swift type.
public final class CMTypedTag<TypedValue: Sendable>: CMTag, @unchecked Sendable {
    // SAFETY: all properties are constants.
    /// A category of tags with values of a type.
    public struct Category: Sendable {
        public typealias RawCategory = CMTag.RawCategory

        public let rawCategory: RawCategory
        private let valueForTagValue: @Sendable (CMTag.Value) -> TypedValue?
        private let tagValueForValue: @Sendable (TypedValue) -> CMTag.Value

        /// Creates a category from the conversions of its values.
        public init(
            rawCategory: RawCategory, valueForTagValue: @escaping @Sendable (CMTag.Value) -> TypedValue?,
            tagValueForValue: @escaping @Sendable (TypedValue) -> CMTag.Value
        ) {
            self.rawCategory = rawCategory
            self.valueForTagValue = valueForTagValue
            self.tagValueForValue = tagValueForValue
        }

        /// Returns the typed value; nil if the value has another type.
        public func value(for tagValue: CMTag.Value) -> TypedValue? { valueForTagValue(tagValue) }

        /// Returns the value to store in a tag.
        public func tagValue(for value: TypedValue) -> CMTag.Value { tagValueForValue(value) }
    }

    public let typedValue: TypedValue

    /// Creates a tag.
    public init(category: Category, value: TypedValue) {
        typedValue = value
        super.init(rawCategory: category.rawCategory, rawTagValue: category.tagValue(for: value))
    }
}

extension Sequence where Element: CMTag {
    /// Returns the first tag of a category; nil if there is none.
    public func first<T: Sendable>(matchingCategory category: CMTypedTag<T>.Category) -> CMTypedTag<T>? {
        firstValue(matchingCategory: category).map { CMTypedTag(category: category, value: $0) }
    }

    /// Returns the value of the first tag of a category; nil if there is none.
    public func firstValue<T: Sendable>(matchingCategory category: CMTypedTag<T>.Category) -> T? {
        lazy.compactMap { $0.value(onlyIfMatching: category) }.first
    }
}
