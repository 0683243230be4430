import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

final class NSPredicateFormatTests: PhotoLibraryTestCase {
    private var system = CaptureSystem(hosts: [], clock: SimClock())

    override func setUpWithError() throws {
        try super.setUpWithError()
        system = makeSystem()
    }

    private let properties: [String: Any] = [
        "mediaType": PHAssetMediaType.image, "mediaSubtypes": PHAssetMediaSubtype([.photoHDR, .photoPanorama]),
        "title": "Été à Paris", "width": 640, "ratio": 1.5, "isFavorite": true,
        "creationDate": Date(timeIntervalSince1970: 1000), "owner": ["name": "Ann"],
    ]

    private func matches(_ predicate: NSPredicate) -> Bool { system.run { predicate.evaluate(with: properties) } }

    func testNumbersEnumerationsAndDatesAreCompared() {
        XCTAssertTrue(matches(NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)))
        XCTAssertFalse(matches(NSPredicate(format: "mediaType = %i", PHAssetMediaType.video.rawValue)))
        XCTAssertTrue(matches(NSPredicate(format: "mediaType != %ld", PHAssetMediaType.video.rawValue)))
        XCTAssertTrue(matches(NSPredicate(format: "width >= 640 AND width < 640.5 && ratio > 1")))
        XCTAssertTrue(matches(NSPredicate(format: "width BETWEEN {600, 700}")))
        XCTAssertFalse(matches(NSPredicate(format: "width BETWEEN %@", [100, 200])))
        XCTAssertTrue(matches(NSPredicate(format: "creationDate > %@", Date(timeIntervalSince1970: 999) as NSDate)))
        XCTAssertFalse(matches(NSPredicate(format: "creationDate <= %@", Date(timeIntervalSince1970: 999))))
        XCTAssertTrue(matches(NSPredicate(format: "isFavorite == YES and %K = %@", "owner.name", "Ann")))
    }

    func testBitMasksAreEvaluated() {
        let panorama = PHAssetMediaSubtype.photoPanorama.rawValue
        XCTAssertTrue(matches(NSPredicate(format: "(mediaSubtypes & %d) != 0", panorama)))
        XCTAssertTrue(matches(NSPredicate(format: "((mediaSubtypes & %d) == %d)", panorama, panorama)))
        XCTAssertFalse(
            matches(NSPredicate(format: "mediaSubtypes & %d != 0", PHAssetMediaSubtype.photoScreenshot.rawValue)))
    }

    func testConditionsAreCombinedWithPrecedence() {
        XCTAssertTrue(matches(NSPredicate(format: "width = 640 OR width = 1 AND width = 2")))
        XCTAssertFalse(matches(NSPredicate(format: "(width = 640 OR width = 1) AND width = 2")))
        XCTAssertTrue(matches(NSPredicate(format: "NOT (width = 1 || width = 2)")))
        XCTAssertTrue(matches(NSPredicate(format: "!(width = 1) && TRUEPREDICATE")))
        XCTAssertTrue(
            matches(
                NSPredicate(
                    format: "mediaType = %d || mediaType = %d",
                    argumentArray: [
                        PHAssetMediaType.image.rawValue, PHAssetMediaType.video.rawValue,
                    ])))
    }

    func testTextsAreComparedWithOptions() {
        XCTAssertTrue(matches(NSPredicate(format: "title BEGINSWITH 'Été'")))
        XCTAssertFalse(matches(NSPredicate(format: "title BEGINSWITH 'ete'")))
        XCTAssertTrue(matches(NSPredicate(format: "title BEGINSWITH[cd] 'ete'")))
        XCTAssertTrue(matches(NSPredicate(format: "title CONTAINS[c] %@", "PARIS")))
        XCTAssertTrue(matches(NSPredicate(format: "title ENDSWITH \"Paris\"")))
        XCTAssertTrue(matches(NSPredicate(format: "title LIKE '*Par?s'")))
        XCTAssertFalse(matches(NSPredicate(format: "title LIKE 'Par?s'")))
        XCTAssertTrue(matches(NSPredicate(format: "title MATCHES '.*P[a-z]+'")))
        XCTAssertTrue(matches(NSPredicate(format: "title IN %@", ["London", "Été à Paris"])))
    }

    func testACaseInsensitiveRegularExpressionKeepsItsCharacterClasses() {
        XCTAssertTrue(matches(NSPredicate(format: #"%@ MATCHES[c] '\\D+'"#, "Paris")))
        XCTAssertFalse(matches(NSPredicate(format: #"%@ MATCHES[c] '\\D+'"#, "2024")))
        XCTAssertTrue(matches(NSPredicate(format: #"%@ MATCHES[cd] '\\S+'"#, "ÉTÉ")))
        XCTAssertTrue(matches(NSPredicate(format: "title MATCHES[c] '.*P[A-Z]+'")))
        XCTAssertTrue(matches(NSPredicate(format: "title MATCHES[cd] 'ETE . PARIS'")))
        XCTAssertTrue(matches(NSPredicate(format: "title MATCHES[d] 'Ete a Pàris'")))
        XCTAssertFalse(matches(NSPredicate(format: "title MATCHES[d] 'ete a paris'")))
        XCTAssertEqual(misuse, [])
    }

    func testComparisonOperatorsAcceptOptions() {
        XCTAssertTrue(matches(NSPredicate(format: "title ==[cd] %@", "ETE A PARIS")))
        XCTAssertFalse(matches(NSPredicate(format: "title =[c] %@", "ETE A PARIS")))
        XCTAssertFalse(matches(NSPredicate(format: "title !=[cd] 'ete a paris'")))
        XCTAssertTrue(matches(NSPredicate(format: "title <[c] 'ÉTÉ À PARIT' AND title >=[c] 'ÉTÉ À PARIS'")))
        XCTAssertTrue(matches(NSPredicate(format: "title CONTAINS [c] 'PARIS'")))
        XCTAssertEqual(misuse, [])
    }

    func testStringsHaveEscapedCharacters() {
        XCTAssertTrue(matches(NSPredicate(format: #"%@ == 'It\'s'"#, "It's")))
        XCTAssertTrue(matches(NSPredicate(format: #"%@ == "a \"b\" \\" AND width == 640"#, #"a "b" \"#)))
        XCTAssertTrue(matches(NSPredicate(format: #"%@ == 'a\tb'"#, "a\tb")))
        XCTAssertTrue(matches(NSPredicate(format: #"title MATCHES '\\w+ \\w Paris'"#)))
        XCTAssertEqual(misuse, [])
    }

    func testMissingValuesAreNil() {
        XCTAssertTrue(matches(NSPredicate(format: "location == nil")))
        XCTAssertFalse(matches(NSPredicate(format: "location.name > 3")))
        XCTAssertTrue(matches(NSPredicate(format: "title != NULL")))
    }

    func testAFormatThatCannotBeParsedIsMisuseAndMatchesNothing() {
        for (index, format) in [
            "width =", "width 3", "(width = 3", "width = 3)", "= 3", "width = %z", "width = 'x", "width = %d",
            "title LIKE[x] 'a'", "title LIKE[c 'a'", "[c] title = 'a'", #"title = 'a\'"#,
        ].enumerated() {
            XCTAssertFalse(matches(system.run { NSPredicate(format: format, argumentArray: []) }), format)
            XCTAssertEqual(misuse.count, index + 1, format)
            XCTAssertEqual(misuse.last?.exception, .invalidArgument, format)
            XCTAssertTrue(misuse.last?.message.contains("Unable to parse the format string") ?? false, format)
        }
    }

    func testAssetsAreFetchedByTypeSizeAndFavorite() throws {
        for (width, isFavorite) in [(16, true), (32, false), (48, true)] {
            let photo = try makeJPEG(width: width, height: 16)
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    let request = PHAssetCreationRequest.forAsset()
                    request.addResource(with: .photo, data: photo, options: nil)
                    request.isFavorite = isFavorite
                }
            }
        }
        func widths(_ predicate: NSPredicate) -> [Int] {
            let options = PHFetchOptions()
            options.predicate = predicate
            return assets(in: system, options).map(\.pixelWidth)
        }
        XCTAssertEqual(widths(NSPredicate(format: "favorite == true")), [16, 48])
        XCTAssertEqual(
            widths(
                NSPredicate(
                    format: "mediaType == %d AND pixelWidth > %d AND (mediaSubtype & %d) == 0",
                    PHAssetMediaType.image.rawValue, 16, PHAssetMediaSubtype.photoLive.rawValue)), [32, 48])
        XCTAssertEqual(misuse, [])
        XCTAssertEqual(widths(system.run { NSPredicate(format: "colour == 1") }), [])
        XCTAssertEqual(Set(misuse.map(\.exception)), [.invalidArgument])
    }
}
