import CaptureHAL
public import Foundation
import MediaTypes

extension NSPredicate {
    /// Creates a predicate for fetches from a format string, such as `NSPredicate(format: "mediaType == %d", 1)`.
    ///
    /// Foundation on Linux has no format strings. This initializer takes precedence over Foundation's. It supports
    /// comparisons with `==`, `!=`, `<`, `<=`, `>`, `>=`, `IN`, `BETWEEN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`
    /// and `MATCHES` with the options `c` and `d` (`n` and `l` have no effect), `AND`, `OR` and `NOT`, strings in
    /// which a backslash precedes a quotation mark or a backslash, the bitwise operators `&` and `|` as in
    /// `(mediaSubtypes & %d) != 0`, and the arguments `%@`, `%K`, and conversions of numbers such as `%d`. Keys are
    /// properties of assets, albums and folders, or keys of dictionaries. A format that cannot be parsed is misuse, and
    /// the predicate matches nothing; an unknown key is misuse when the predicate is evaluated.
    public convenience init<each Argument>(format predicateFormat: String, _ arguments: repeat each Argument) {
        var list: [Any] = []
        repeat list.append(each arguments)
        self.init(format: predicateFormat, argumentArray: list)
    }

    /// Creates a predicate from a format string with its arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]) {
        let misuse = CaptureSystem.current.misuse
        let condition: PredicateCondition
        do throws(PredicateFormatError) {
            condition = try PredicateParser.parse(predicateFormat, arguments)
        } catch {
            misuse.report(
                .invalidArgument, "Unable to parse the format string \"\(predicateFormat)\": \(error.message)")
            condition = .constant(false)
        }
        self.init { object, _ in
            do throws(PredicateFormatError) {
                return try condition.isMet(by: object)
            } catch {
                misuse.report(.invalidArgument, "Unsupported predicate: \(predicateFormat): \(error.message)")
                return false
            }
        }
        FormatPredicates.register(self, condition, format: predicateFormat)
    }
}

/// An error for a format that cannot be parsed, or a predicate that cannot be evaluated, for example because an object
/// does not have a key.
struct PredicateFormatError: Error {
    var message: String
}

/// An object whose properties can be used in predicates.
protocol PredicateObject {
    /// Returns the value of a property; nil if there is none with this name.
    func predicateValue(forKey key: String) -> PredicateValue?
}

extension PHAsset: PredicateObject {
    func predicateValue(forKey key: String) -> PredicateValue? {
        switch key {
        case "localIdentifier": PredicateValue(localIdentifier)
        case "creationDate": PredicateValue(creationDate)
        case "modificationDate": PredicateValue(modificationDate)
        case "addedDate": PredicateValue(addedDate)
        case "mediaType": PredicateValue(mediaType)
        case "mediaSubtypes", "mediaSubtype": PredicateValue(mediaSubtypes)
        case "duration": PredicateValue(duration)
        case "pixelWidth": PredicateValue(pixelWidth)
        case "pixelHeight": PredicateValue(pixelHeight)
        case "favorite", "isFavorite": PredicateValue(isFavorite)
        case "hidden", "isHidden": PredicateValue(isHidden)
        case "burstIdentifier": PredicateValue(burstIdentifier)
        default: nil
        }
    }
}

extension PHAssetCollection: PredicateObject {
    func predicateValue(forKey key: String) -> PredicateValue? {
        switch key {
        case "localIdentifier": PredicateValue(localIdentifier)
        case "localizedTitle", "title": PredicateValue(localizedTitle)
        case "assetCollectionType": PredicateValue(assetCollectionType)
        case "assetCollectionSubtype": PredicateValue(assetCollectionSubtype)
        case "estimatedAssetCount": PredicateValue(estimatedAssetCount)
        case "startDate": PredicateValue(startDate)
        case "endDate": PredicateValue(endDate)
        default: nil
        }
    }
}

extension PHCollectionList: PredicateObject {
    func predicateValue(forKey key: String) -> PredicateValue? {
        switch key {
        case "localIdentifier": PredicateValue(localIdentifier)
        case "localizedTitle", "title": PredicateValue(localizedTitle)
        default: nil
        }
    }
}
