// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// Identifiers in the QuickTime metadata atom (QTFF, "Metadata").
extension AVMetadataIdentifier {
    public static let quickTimeMetadataAIMEData = AVMetadataIdentifier("mdta/com.apple.quicktime.aime-data")
    public static let quickTimeMetadataAccessibilityDescription = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.accessibility.description")
    public static let quickTimeMetadataPresentationImmersiveMedia = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.video.presentation.immersive-media")
    public static let quickTimeMetadataAlbum = AVMetadataIdentifier("mdta/com.apple.quicktime.album")
    public static let quickTimeMetadataArranger = AVMetadataIdentifier("mdta/com.apple.quicktime.arranger")
    public static let quickTimeMetadataArtist = AVMetadataIdentifier("mdta/com.apple.quicktime.artist")
    public static let quickTimeMetadataArtwork = AVMetadataIdentifier("mdta/com.apple.quicktime.artwork")
    public static let quickTimeMetadataAuthor = AVMetadataIdentifier("mdta/com.apple.quicktime.author")
    public static let quickTimeMetadataAutoLivePhoto = AVMetadataIdentifier("mdta/com.apple.quicktime.live-photo.auto")
    public static let quickTimeMetadataCameraFocalLength35mmEquivalent = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.camera.focal_length.35mm_equivalent")
    public static let quickTimeMetadataCameraFrameReadoutTime = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.camera.framereadouttimeinmicroseconds")
    public static let quickTimeMetadataCameraISOSensitivity = AVMetadataIdentifier(
        "mdta/org.smpte.rdd18.camera.isosensitivity")
    public static let quickTimeMetadataCameraIdentifier = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.camera.identifier")
    public static let quickTimeMetadataCameraLensIrisFNumber = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.camera.lens_irisfnumber")
    public static let quickTimeMetadataCameraLensModel = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.camera.lens_model")
    public static let quickTimeMetadataCameraShutterSpeedAngle = AVMetadataIdentifier(
        "mdta/org.smpte.rdd18.camera.shutterspeed_angle")
    public static let quickTimeMetadataCameraShutterSpeedTime = AVMetadataIdentifier(
        "mdta/org.smpte.rdd18.camera.shutterspeed_time")
    public static let quickTimeMetadataCameraWhiteBalance = AVMetadataIdentifier(
        "mdta/org.smpte.rdd18.camera.whitebalance")
    public static let quickTimeMetadataCinematicVideoIntent = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.cinematic-video-intent")
    public static let quickTimeMetadataCollectionUser = AVMetadataIdentifier("mdta/com.apple.quicktime.collection.user")
    public static let quickTimeMetadataComment = AVMetadataIdentifier("mdta/com.apple.quicktime.comment")
    public static let quickTimeMetadataComposer = AVMetadataIdentifier("mdta/com.apple.quicktime.composer")
    public static let quickTimeMetadataContentIdentifier = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.content.identifier")
    public static let quickTimeMetadataCopyright = AVMetadataIdentifier("mdta/com.apple.quicktime.copyright")
    public static let quickTimeMetadataCreationDate = AVMetadataIdentifier("mdta/com.apple.quicktime.creationdate")
    public static let quickTimeMetadataCredits = AVMetadataIdentifier("mdta/com.apple.quicktime.credits")
    public static let quickTimeMetadataDescription = AVMetadataIdentifier("mdta/com.apple.quicktime.description")
    public static let quickTimeMetadataDetectedCatBody = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.detected-cat-body")
    public static let quickTimeMetadataDetectedDogBody = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.detected-dog-body")
    public static let quickTimeMetadataDetectedFace = AVMetadataIdentifier("mdta/com.apple.quicktime.detected-face")
    public static let quickTimeMetadataDetectedHumanBody = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.detected-human-body")
    public static let quickTimeMetadataDetectedSalientObject = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.detected-salient-object")
    public static let quickTimeMetadataDirectionFacing = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.direction.facing")
    public static let quickTimeMetadataDirectionMotion = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.direction.motion")
    public static let quickTimeMetadataDirector = AVMetadataIdentifier("mdta/com.apple.quicktime.director")
    public static let quickTimeMetadataDisplayName = AVMetadataIdentifier("mdta/com.apple.quicktime.displayname")
    public static let quickTimeMetadataEncodedBy = AVMetadataIdentifier("mdta/com.apple.quicktime.encodedby")
    public static let quickTimeMetadataFullFrameRatePlaybackIntent = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.full-frame-rate-playback-intent")
    public static let quickTimeMetadataGenre = AVMetadataIdentifier("mdta/com.apple.quicktime.genre")
    public static let quickTimeMetadataInformation = AVMetadataIdentifier("mdta/com.apple.quicktime.information")
    public static let quickTimeMetadataIsMontage = AVMetadataIdentifier("mdta/com.apple.quicktime.is-montage")
    public static let quickTimeMetadataKeywords = AVMetadataIdentifier("mdta/com.apple.quicktime.keywords")
    public static let quickTimeMetadataLivePhotoVitalityScore = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.live-photo.vitality-score")
    public static let quickTimeMetadataLivePhotoVitalityScoringVersion = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.live-photo.vitality-scoring-version")
    public static let quickTimeMetadataLocationBody = AVMetadataIdentifier("mdta/com.apple.quicktime.location.body")
    public static let quickTimeMetadataLocationDate = AVMetadataIdentifier("mdta/com.apple.quicktime.location.date")
    public static let quickTimeMetadataLocationHorizontalAccuracyInMeters = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.location.accuracy.horizontal")
    public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.location.ISO6709")
    public static let quickTimeMetadataLocationName = AVMetadataIdentifier("mdta/com.apple.quicktime.location.name")
    public static let quickTimeMetadataLocationNote = AVMetadataIdentifier("mdta/com.apple.quicktime.location.note")
    public static let quickTimeMetadataLocationRole = AVMetadataIdentifier("mdta/com.apple.quicktime.location.role")
    public static let quickTimeMetadataMake = AVMetadataIdentifier("mdta/com.apple.quicktime.make")
    public static let quickTimeMetadataModel = AVMetadataIdentifier("mdta/com.apple.quicktime.model")
    public static let quickTimeMetadataOriginalArtist = AVMetadataIdentifier("mdta/com.apple.quicktime.originalartist")
    public static let quickTimeMetadataPerformer = AVMetadataIdentifier("mdta/com.apple.quicktime.performer")
    public static let quickTimeMetadataPhonogramRights = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.phonogramrights")
    public static let quickTimeMetadataPreferredAffineTransform = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.preferred-affine-transform")
    public static let quickTimeMetadataProducer = AVMetadataIdentifier("mdta/com.apple.quicktime.producer")
    public static let quickTimeMetadataPublisher = AVMetadataIdentifier("mdta/com.apple.quicktime.publisher")
    public static let quickTimeMetadataRatingUser = AVMetadataIdentifier("mdta/com.apple.quicktime.rating.user")
    public static let quickTimeMetadataSoftware = AVMetadataIdentifier("mdta/com.apple.quicktime.software")
    public static let quickTimeMetadataSpatialOverCaptureQualityScore = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.spatial-overcapture.quality-score")
    public static let quickTimeMetadataSpatialOverCaptureQualityScoringVersion = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.spatial-overcapture.quality-scoring-version")
    public static let quickTimeMetadataTitle = AVMetadataIdentifier("mdta/com.apple.quicktime.title")
    public static let quickTimeMetadataVideoOrientation = AVMetadataIdentifier(
        "mdta/com.apple.quicktime.video-orientation")
    public static let quickTimeMetadataWhiteBalanceByCCTColorMatrices = AVMetadataIdentifier(
        "mdta/com.apple.proresraw.whitebalance.bycct.colormatrices")
    public static let quickTimeMetadataWhiteBalanceByCCTWhiteBalanceFactors = AVMetadataIdentifier(
        "mdta/com.apple.proresraw.whitebalance.bycct.whitebalancefactors")
    public static let quickTimeMetadataYear = AVMetadataIdentifier("mdta/com.apple.quicktime.year")
    public static let quickTimeMetadataiXML = AVMetadataIdentifier("mdta/info.ixml.xml")
}

/// Identifiers in QuickTime user data (QTFF, "User Data Atoms").
extension AVMetadataIdentifier {
    public static let quickTimeUserDataAccessibilityDescription = AVMetadataIdentifier("udta/%A9ade")
    public static let quickTimeUserDataAlbum = AVMetadataIdentifier("udta/%A9alb")
    public static let quickTimeUserDataArranger = AVMetadataIdentifier("udta/%A9arg")
    public static let quickTimeUserDataArtist = AVMetadataIdentifier("udta/%A9ART")
    public static let quickTimeUserDataAuthor = AVMetadataIdentifier("udta/%A9aut")
    public static let quickTimeUserDataChapter = AVMetadataIdentifier("udta/%A9chp")
    public static let quickTimeUserDataComment = AVMetadataIdentifier("udta/%A9cmt")
    public static let quickTimeUserDataComposer = AVMetadataIdentifier("udta/%A9com")
    public static let quickTimeUserDataCopyright = AVMetadataIdentifier("udta/%A9cpy")
    public static let quickTimeUserDataCreationDate = AVMetadataIdentifier("udta/%A9day")
    public static let quickTimeUserDataCredits = AVMetadataIdentifier("udta/%A9src")
    public static let quickTimeUserDataDescription = AVMetadataIdentifier("udta/%A9des")
    public static let quickTimeUserDataDirector = AVMetadataIdentifier("udta/%A9dir")
    public static let quickTimeUserDataDisclaimer = AVMetadataIdentifier("udta/%A9dis")
    public static let quickTimeUserDataEncodedBy = AVMetadataIdentifier("udta/%A9enc")
    public static let quickTimeUserDataFullName = AVMetadataIdentifier("udta/%A9nam")
    public static let quickTimeUserDataGenre = AVMetadataIdentifier("udta/%A9gen")
    public static let quickTimeUserDataHostComputer = AVMetadataIdentifier("udta/%A9hst")
    public static let quickTimeUserDataInformation = AVMetadataIdentifier("udta/%A9inf")
    public static let quickTimeUserDataKeywords = AVMetadataIdentifier("udta/%A9key")
    public static let quickTimeUserDataLocationISO6709 = AVMetadataIdentifier("udta/%A9xyz")
    public static let quickTimeUserDataMake = AVMetadataIdentifier("udta/%A9mak")
    public static let quickTimeUserDataModel = AVMetadataIdentifier("udta/%A9mod")
    public static let quickTimeUserDataOriginalArtist = AVMetadataIdentifier("udta/%A9ope")
    public static let quickTimeUserDataOriginalFormat = AVMetadataIdentifier("udta/%A9fmt")
    public static let quickTimeUserDataOriginalSource = AVMetadataIdentifier("udta/%A9src")
    public static let quickTimeUserDataPerformers = AVMetadataIdentifier("udta/%A9prf")
    public static let quickTimeUserDataPhonogramRights = AVMetadataIdentifier("udta/%A9phg")
    public static let quickTimeUserDataProducer = AVMetadataIdentifier("udta/%A9prd")
    public static let quickTimeUserDataProduct = AVMetadataIdentifier("udta/%A9PRD")
    public static let quickTimeUserDataPublisher = AVMetadataIdentifier("udta/%A9pub")
    public static let quickTimeUserDataSoftware = AVMetadataIdentifier("udta/%A9swr")
    public static let quickTimeUserDataSpecialPlaybackRequirements = AVMetadataIdentifier("udta/%A9req")
    public static let quickTimeUserDataTaggedCharacteristic = AVMetadataIdentifier("udta/tagc")
    public static let quickTimeUserDataTrack = AVMetadataIdentifier("udta/%A9trk")
    public static let quickTimeUserDataTrackName = AVMetadataIdentifier("udta/tnam")
    public static let quickTimeUserDataURLLink = AVMetadataIdentifier("udta/%A9url")
    public static let quickTimeUserDataWarning = AVMetadataIdentifier("udta/%A9wrn")
    public static let quickTimeUserDataWriter = AVMetadataIdentifier("udta/%A9wrt")
}
