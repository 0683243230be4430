import AssetTypes
public import Foundation
public import MediaTypes

extension AVPartialAsyncProperty where Root: AVAsset {
    public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty("duration") { $0.duration } }
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { AVAsyncProperty("tracks") { $0.tracks } }
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.metadata } }
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { $0.commonMetadata }
    }
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { $0.availableMetadataFormats }
    }
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { $0.creationDate }
    }
    public static var lyrics: AVAsyncProperty<Root, String?> { AVAsyncProperty("lyrics") { $0.lyrics } }
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredRate") { $0.preferredRate }
    }
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("providesPreciseDurationAndTiming") { $0.providesPreciseDurationAndTiming }
    }
    public static var containsFragments: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("containsFragments") { $0.containsFragments }
    }
    public static var canContainFragments: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("canContainFragments") { $0.canContainFragments }
    }
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("hasProtectedContent") { $0.hasProtectedContent }
    }
    public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isPlayable") { $0.isPlayable } }
    public static var isReadable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isReadable") { $0.isReadable } }
    public static var isExportable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isExportable") { $0.isExportable } }
    public static var isComposable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isComposable") { $0.isComposable } }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { $0.typedFormatDescriptions }
    }
    public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isPlayable") { $0.isPlayable } }
    public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isDecodable") { $0.isDecodable } }
    public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isEnabled") { $0.isEnabled } }
    public static var isSelfContained: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("isSelfContained") { $0.isSelfContained }
    }
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        AVAsyncProperty("totalSampleDataLength") { $0.totalSampleDataLength }
    }
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty("timeRange") { $0.timeRange } }
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
    }
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
    }
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.languageCode }
    }
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("extendedLanguageTag") { $0.extendedLanguageTag }
    }
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty("naturalSize") { $0.naturalSize } }
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
    }
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
    }
    public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("requiresFrameReordering") { $0.requiresFrameReordering }
    }
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
        AVAsyncProperty("segments") { $0.segments }
    }
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.metadata } }
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { $0.commonMetadata }
    }
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { $0.availableMetadataFormats }
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        AVAsyncProperty("value") { $0.value }
    }
    public static var stringValue: AVAsyncProperty<Root, String?> { AVAsyncProperty("stringValue") { $0.stringValue } }
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
        AVAsyncProperty("numberValue") { $0.numberValue }
    }
    public static var dateValue: AVAsyncProperty<Root, Date?> { AVAsyncProperty("dateValue") { $0.dateValue } }
    public static var dataValue: AVAsyncProperty<Root, Data?> { AVAsyncProperty("dataValue") { $0.dataValue } }
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
        AVAsyncProperty("extraAttributes") { $0.extraAttributes }
    }
}
