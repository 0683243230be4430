// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// The keys of an image's metadata; their text is the same as on Apple's systems.

// MARK: Dictionaries and properties of the image

public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
public let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
public let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
public let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
public let kCGImagePropertyRawDictionary: CFString = "{Raw}"
public let kCGImagePropertyCIFFDictionary: CFString = "{CIFF}"
public let kCGImagePropertyMakerCanonDictionary: CFString = "{MakerCanon}"
public let kCGImagePropertyMakerNikonDictionary: CFString = "{MakerNikon}"
public let kCGImagePropertyMakerMinoltaDictionary: CFString = "{MakerMinolta}"
public let kCGImagePropertyMakerFujiDictionary: CFString = "{MakerFuji}"
public let kCGImagePropertyMakerOlympusDictionary: CFString = "{MakerOlympus}"
public let kCGImagePropertyMakerPentaxDictionary: CFString = "{MakerPentax}"
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"
public let kCGImageProperty8BIMDictionary: CFString = "{8BIM}"
public let kCGImagePropertyDNGDictionary: CFString = "{DNG}"
public let kCGImagePropertyExifAuxDictionary: CFString = "{ExifAux}"
public let kCGImagePropertyOpenEXRDictionary: CFString = "{OpenEXR}"
public let kCGImagePropertyFileSize: CFString = "FileSize"
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
public let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
public let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
public let kCGImagePropertyDepth: CFString = "Depth"
public let kCGImagePropertyOrientation: CFString = "Orientation"
public let kCGImagePropertyIsFloat: CFString = "IsFloat"
public let kCGImagePropertyIsIndexed: CFString = "IsIndexed"
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
public let kCGImagePropertyColorModel: CFString = "ColorModel"
public let kCGImagePropertyProfileName: CFString = "ProfileName"

// MARK: Entries of the EXIF dictionary

public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
public let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
public let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
public let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
public let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
public let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
public let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
public let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
public let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
public let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
public let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
public let kCGImagePropertyExifLightSource: CFString = "LightSource"
public let kCGImagePropertyExifFlash: CFString = "Flash"
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
public let kCGImagePropertyExifMakerNote: CFString = "MakerNote"
public let kCGImagePropertyExifUserComment: CFString = "UserComment"
public let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
public let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
public let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
public let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
public let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
public let kCGImagePropertyExifSceneType: CFString = "SceneType"
public let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
public let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
public let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
public let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
public let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
public let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
public let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
public let kCGImagePropertyExifLensMake: CFString = "LensMake"
public let kCGImagePropertyExifLensModel: CFString = "LensModel"
public let kCGImagePropertyExifLensSerialNumber: CFString = "LensSerialNumber"

// MARK: Entries of the TIFF dictionary

public let kCGImagePropertyTIFFMake: CFString = "Make"
public let kCGImagePropertyTIFFModel: CFString = "Model"
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"

// MARK: Entries of the GPS dictionary

public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
public let kCGImagePropertyGPSSatellites: CFString = "Satellites"
public let kCGImagePropertyGPSStatus: CFString = "Status"
public let kCGImagePropertyGPSMeasureMode: CFString = "MeasureMode"
public let kCGImagePropertyGPSDOP: CFString = "DOP"
public let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
public let kCGImagePropertyGPSSpeed: CFString = "Speed"
public let kCGImagePropertyGPSTrackRef: CFString = "TrackRef"
public let kCGImagePropertyGPSTrack: CFString = "Track"
public let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
public let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
public let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
public let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
public let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
public let kCGImagePropertyGPSDestDistanceRef: CFString = "DestDistanceRef"
public let kCGImagePropertyGPSDestDistance: CFString = "DestDistance"
public let kCGImagePropertyGPSProcessingMethod: CFString = "ProcessingMethod"
public let kCGImagePropertyGPSAreaInformation: CFString = "AreaInformation"
public let kCGImagePropertyGPSDifferental: CFString = "Differental"
public let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"

// MARK: Entries of the GIF dictionary

/// The number of repetitions of an animation; 0 for an endless one.
public let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// The duration of a frame in seconds, at least the minimum that players apply.
public let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// The duration of a frame in seconds, as stored in the file.
public let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
public let kCGImagePropertyGIFImageColorMap: CFString = "ImageColorMap"
public let kCGImagePropertyGIFHasGlobalColorMap: CFString = "HasGlobalColorMap"
public let kCGImagePropertyGIFCanvasPixelWidth: CFString = "CanvasPixelWidth"
public let kCGImagePropertyGIFCanvasPixelHeight: CFString = "CanvasPixelHeight"
public let kCGImagePropertyGIFFrameInfoArray: CFString = "FrameInfo"

/// The `kCGImageProperty…` keys at the top level of the properties, not in one of their dictionaries.
package let imagePropertyKeys: Set<String> = [
    kCGImagePropertyTIFFDictionary, kCGImagePropertyGIFDictionary, kCGImagePropertyJFIFDictionary,
    kCGImagePropertyExifDictionary, kCGImagePropertyPNGDictionary, kCGImagePropertyIPTCDictionary,
    kCGImagePropertyGPSDictionary, kCGImagePropertyRawDictionary, kCGImagePropertyCIFFDictionary,
    kCGImagePropertyMakerCanonDictionary, kCGImagePropertyMakerNikonDictionary,
    kCGImagePropertyMakerMinoltaDictionary, kCGImagePropertyMakerFujiDictionary,
    kCGImagePropertyMakerOlympusDictionary, kCGImagePropertyMakerPentaxDictionary,
    kCGImagePropertyMakerAppleDictionary, kCGImageProperty8BIMDictionary, kCGImagePropertyDNGDictionary,
    kCGImagePropertyExifAuxDictionary, kCGImagePropertyOpenEXRDictionary, kCGImagePropertyFileSize,
    kCGImagePropertyPixelHeight, kCGImagePropertyPixelWidth, kCGImagePropertyDPIHeight, kCGImagePropertyDPIWidth,
    kCGImagePropertyDepth, kCGImagePropertyOrientation, kCGImagePropertyIsFloat, kCGImagePropertyIsIndexed,
    kCGImagePropertyHasAlpha, kCGImagePropertyColorModel, kCGImagePropertyProfileName,
]
