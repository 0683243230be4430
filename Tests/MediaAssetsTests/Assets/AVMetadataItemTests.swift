import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVMetadataItemTests: XCTestCase {
    func testAnIdentifierConsistsOfKeySpaceAndKey() {
        let item = AVMutableMetadataItem()
        item.identifier = .quickTimeMetadataLocationISO6709
        XCTAssertEqual(item.keySpace, .quickTimeMetadata)
        XCTAssertEqual(item.key as? NSString, "com.apple.quicktime.location.ISO6709")
        item.key = AVMetadataKey.quickTimeUserDataKeyMake.rawValue as NSString
        item.keySpace = .quickTimeUserData
        XCTAssertEqual(item.identifier, .quickTimeUserDataMake)
        item.keySpace = .common
        item.key = "title" as NSString
        XCTAssertEqual(item.identifier, .commonIdentifierTitle)
    }

    func testNumberAndStringKeysHaveIdentifiers() {
        XCTAssertEqual(
            AVMetadataItem.identifier(forKey: NSNumber(value: UInt32(0xa96e_616d)), keySpace: .iTunes),
            .iTunesMetadataSongName)
        XCTAssertEqual(AVMetadataItem.identifier(forKey: "©nam", keySpace: .iTunes), .iTunesMetadataSongName)
        XCTAssertEqual(
            AVMetadataItem.identifier(forKey: "com.example.a b", keySpace: .quickTimeMetadata)?.rawValue,
            "mdta/com.example.a%20b")
        XCTAssertEqual(
            AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("mdta/com.example.a%20b")) as? NSString,
            "com.example.a b")
        XCTAssertNil(AVMetadataItem.identifier(forKey: [1, 2], keySpace: .iTunes))
        XCTAssertNil(AVMetadataItem.keySpace(forIdentifier: AVMetadataIdentifier("nothing")))
    }

    func testKeysMatchTheirIdentifiers() {
        let cases: [(AVMetadataKey, AVMetadataKeySpace, AVMetadataIdentifier)] = [
            (.commonKeyIdentifier, .common, .commonIdentifierAssetIdentifier),
            (.quickTimeMetadataKeyiXML, .quickTimeMetadata, .quickTimeMetadataiXML),
            (.quickTimeUserDataKeyTrackName, .quickTimeUserData, .quickTimeUserDataTrackName),
            (.isoUserDataKeyDate, .isoUserData, .isoUserDataDate),
            (.metadata3GPUserDataKeyLocation, .isoUserData, .identifier3GPUserDataLocation),
            (.iTunesMetadataKeyEncodingTool, .iTunes, .iTunesMetadataEncodingTool),
            (.id3MetadataKeyLeadPerformer, .id3, .id3MetadataLeadPerformer),
            (.icyMetadataKeyStreamURL, .icy, .icyMetadataStreamURL),
        ]
        for (key, space, identifier) in cases {
            XCTAssertEqual(AVMetadataItem.identifier(forKey: key.rawValue, keySpace: space), identifier)
            XCTAssertEqual(AVMetadataItem.key(forIdentifier: identifier) as? NSString, key.rawValue as NSString)
        }
    }

    func testValuesAreConvertedToCompatibleTypes() throws {
        let item = AVMutableMetadataItem()
        item.value = "2026-11-21T02:41:00+0100" as NSString
        XCTAssertEqual(item.stringValue, "2026-11-21T02:41:00+0100")
        XCTAssertEqual(item.dateValue, Date(timeIntervalSince1970: 1_795_225_260))
        XCTAssertNil(item.numberValue)
        item.value = NSNumber(value: 5)
        XCTAssertEqual(item.stringValue, "5")
        XCTAssertEqual(item.numberValue, 5)
        XCTAssertNil(item.dataValue)
        item.value = NSData(data: Data([1, 2]))
        XCTAssertEqual(item.dataValue, Data([1, 2]))
        XCTAssertNil(item.stringValue)
        item.value = "12" as NSString
        XCTAssertEqual(item.numberValue, 12)
    }

    func testDatesOfEveryFormatAreParsed() {
        let moment = Date(timeIntervalSince1970: 1_795_228_860)
        for text in [
            "2026-11-21T02:41:00Z", "2026-11-21 02:41:00", "20261121T024100Z", "2026-11-21T03:41:00.000+01:00",
        ] {
            XCTAssertEqual(MetadataDate(text)?.date, moment, text)
        }
        XCTAssertEqual(MetadataDate("2026")?.date, Date(timeIntervalSince1970: 1_767_225_600))
        XCTAssertEqual(MetadataDate("2024-02-29")?.date, Date(timeIntervalSince1970: 1_709_164_800))
        XCTAssertEqual(MetadataDate("2016-12-31T23:59:60Z")?.date, Date(timeIntervalSince1970: 1_483_228_800))
        for text in [
            "", "yesterday", "2026-13-01", "2026-11-21T02:41:00+x", "2026-11-21 nonsense", "2024-02-31", "2023-02-29",
            "2026-11-31T00:00:00Z",
        ] {
            XCTAssertNil(MetadataDate(text), text)
        }
    }

    func testACopyIsIndependentOfTheOriginal() throws {
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = "one" as NSString
        let copy = try XCTUnwrap(item.copy() as? AVMetadataItem)
        let mutable = try XCTUnwrap(copy.mutableCopy() as? AVMutableMetadataItem)
        item.value = "two" as NSString
        mutable.value = "three" as NSString
        XCTAssertEqual(copy.stringValue, "one")
        XCTAssertEqual(mutable.identifier, .commonIdentifierTitle)
    }

    func testACommonIdentifierMatchesEquivalentKeys() {
        let items = [
            Self.item(.quickTimeMetadataMake, "Obscura"), Self.item(.iTunesMetadataSongName, "Song"),
            Self.item(AVMetadataIdentifier("mdta/com.example.take"), "7"),
        ]
        let make = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierMake)
        XCTAssertEqual(make.map(\.stringValue), ["Obscura"])
        let keyed = AVMetadataItem.metadataItems(
            from: items, withKey: "com.example.take", keySpace: .quickTimeMetadata)
        XCTAssertEqual(keyed.map(\.stringValue), ["7"])
    }

    func testItemsAreFoundByEveryFormOfTheirKeys() {
        let items = [Self.item(.iTunesMetadataSongName, "Song"), Self.item(.quickTimeMetadataMake, "Obscura")]
        func values(_ key: Any?, _ keySpace: AVMetadataKeySpace?) -> [String?] {
            AVMetadataItem.metadataItems(from: items, withKey: key, keySpace: keySpace).map(\.stringValue)
        }
        let code = NSNumber(value: UInt32(0xa96e_616d))
        for key in ["©nam", "@nam" as NSString, AVMetadataKey.iTunesMetadataKeySongName, code] as [Any] {
            XCTAssertEqual(values(key, .iTunes), ["Song"], "\(key)")
            XCTAssertEqual(values(key, nil), ["Song"], "\(key)")
            XCTAssertEqual(values(key, .quickTimeMetadata), [], "\(key)")
        }
        XCTAssertEqual(values(AVMetadataKey.commonKeyTitle, .common), ["Song"])
        XCTAssertEqual(values("make", .common), ["Obscura"])
        XCTAssertEqual(values(nil, .iTunes), ["Song"])
        XCTAssertEqual(values(nil, nil), ["Song", "Obscura"])
        XCTAssertEqual(values([1, 2], nil), [], "an array is not a key")
    }

    func testItemsAreSortedByThePreferredLanguageThatTheyMatchFirst() {
        let items = ["en", "de", "EN-gb", "fr", nil].map { tag in
            let item = AVMutableMetadataItem()
            item.extendedLanguageTag = tag
            item.value = (tag ?? "none") as NSString
            return item
        }
        // The language of this item is only in its locale.
        let swiss = AVMutableMetadataItem()
        swiss.locale = Locale(identifier: "de_CH")
        swiss.value = "de_CH" as NSString
        let sorted = AVMetadataItem.metadataItems(
            from: items + [swiss], filteredAndSortedAccordingToPreferredLanguages: ["en-US", "en", "de"])
        XCTAssertEqual(sorted.map(\.stringValue), ["en", "EN-gb", "de", "de_CH"])
    }

    func testTheLanguageOfAnItemInAFileIsABCP47Tag() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mp4", .mp4)
        writer.metadata = [Self.item(.quickTimeMetadataLocationISO6709, "+48.8577+002.2950/")]
        try fixture.writeMedia(0.2, writer, video: fixture.makeVideoInput(), audio: nil)
        // The file has the ISO 639-2/T code "eng".
        let items = AVMetadataItem.metadataItems(
            from: fixture.asset("a.mp4").metadata, filteredByIdentifier: .quickTimeUserDataLocationISO6709)
        XCTAssertEqual(items.map(\.extendedLanguageTag), ["en"])
        XCTAssertEqual(items.map(\.locale), [Locale(identifier: "en")])
        let english = AVMetadataItem.metadataItems(
            from: items, filteredAndSortedAccordingToPreferredLanguages: ["en-US"])
        XCTAssertEqual(english, items)
    }

    func testTheSharingFilterRemovesTheLocation() {
        let items = [Self.item(.quickTimeMetadataMake, "M"), Self.item(.quickTimeMetadataLocationISO6709, "+1+2/")]
        let shared = AVMetadataItem.metadataItems(from: items, filteredBy: .forSharing())
        XCTAssertEqual(shared.map(\.identifier), [.quickTimeMetadataMake])
    }

    func testItemsAreAddedToMovieMetadata() {
        var metadata = MovieMetadata(make: "first")
        metadata.add([
            Self.item(.commonIdentifierMake, "Maker"),
            Self.item(.quickTimeMetadataLocationISO6709, "+48.8577+002.2950/"),
            Self.item(.quickTimeMetadataCreationDate, "2026-11-21T02:41:00+0000"),
            Self.item(AVMetadataIdentifier("mdta/com.example.take"), "7"),
            Self.item(.commonIdentifierTitle, "Title"), Self.item(.commonIdentifierTitle, "Better title"),
        ])
        XCTAssertEqual(
            metadata,
            MovieMetadata(
                creationSecondsSince1970: 1_795_228_860, creationDate: "2026-11-21T02:41:00+0000", make: "Maker",
                location: "+48.8577+002.2950/",
                custom: [
                    MovieMetadata.Entry(key: "com.example.take", value: "7"),
                    MovieMetadata.Entry(key: "com.apple.quicktime.title", value: "Better title"),
                ]))
    }

    private static func item(_ identifier: AVMetadataIdentifier, _ value: String) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.value = value as NSString
        return item
    }
}
