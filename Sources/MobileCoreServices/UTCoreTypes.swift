// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import MediaTypes
import UniformTypeIdentifiers

// The identifiers of types for apps that were written before `UTType`.

public let kUTTypeItem: CFString = UTType.item.identifier
public let kUTTypeContent: CFString = UTType.content.identifier
public let kUTTypeData: CFString = UTType.data.identifier
public let kUTTypeText: CFString = UTType.text.identifier
public let kUTTypePlainText: CFString = UTType.plainText.identifier
public let kUTTypeJSON: CFString = UTType.json.identifier
public let kUTTypeXML: CFString = UTType.xml.identifier
public let kUTTypePDF: CFString = UTType.pdf.identifier
public let kUTTypeImage: CFString = UTType.image.identifier
public let kUTTypeJPEG: CFString = UTType.jpeg.identifier
public let kUTTypePNG: CFString = UTType.png.identifier
public let kUTTypeTIFF: CFString = UTType.tiff.identifier
public let kUTTypeGIF: CFString = UTType.gif.identifier
public let kUTTypeBMP: CFString = UTType.bmp.identifier
public let kUTTypeRawImage: CFString = UTType.rawImage.identifier
public let kUTTypeLivePhoto: CFString = UTType.livePhoto.identifier
public let kUTTypeAudiovisualContent: CFString = UTType.audiovisualContent.identifier
public let kUTTypeMovie: CFString = UTType.movie.identifier
public let kUTTypeVideo: CFString = UTType.video.identifier
public let kUTTypeAudio: CFString = UTType.audio.identifier
public let kUTTypeQuickTimeMovie: CFString = UTType.quickTimeMovie.identifier
public let kUTTypeMPEG: CFString = UTType.mpeg.identifier
public let kUTTypeMPEG2Video: CFString = UTType.mpeg2Video.identifier
public let kUTTypeMPEG2TransportStream: CFString = UTType.mpeg2TransportStream.identifier
public let kUTTypeMPEG4: CFString = UTType.mpeg4Movie.identifier
public let kUTTypeMPEG4Audio: CFString = UTType.mpeg4Audio.identifier
public let kUTTypeAppleProtectedMPEG4Audio: CFString = UTType.appleProtectedMPEG4Audio.identifier
public let kUTTypeAppleProtectedMPEG4Video: CFString = UTType.appleProtectedMPEG4Video.identifier
public let kUTTypeAVIMovie: CFString = UTType.avi.identifier
public let kUTTypeMP3: CFString = UTType.mp3.identifier
public let kUTTypeWaveformAudio: CFString = UTType.wav.identifier
public let kUTTypeAudioInterchangeFileFormat: CFString = UTType.aiff.identifier

public let kUTTagClassFilenameExtension: CFString = UTTagClass.filenameExtension.rawValue
public let kUTTagClassMIMEType: CFString = UTTagClass.mimeType.rawValue

/// Whether a type is another one or conforms to it.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    guard let type = UTType(inUTI), let other = UTType(inConformsToUTI) else { return false }
    return type.conforms(to: other)
}

/// Whether two identifiers are equal, without regard to case.
public func UTTypeEqual(_ inUTI1: CFString, _ inUTI2: CFString) -> Bool { inUTI1.lowercased() == inUTI2.lowercased() }

/// Returns the identifier of an extension or MIME type; nil if it is unknown.
///
/// Callers write `?.takeRetainedValue()`, as on Apple's systems.
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> RetainedString? {
    UTType(
        tag: inTag, tagClass: UTTagClass(rawValue: inTagClass), conformingTo: inConformingToUTI.flatMap { UTType($0) }
    ).map { RetainedString($0.identifier) }
}

/// Returns the preferred extension or MIME type of a type; nil without one.
///
/// Callers write `?.takeRetainedValue()`, as on Apple's systems.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> RetainedString? {
    UTType(inUTI)?.tags[UTTagClass(rawValue: inTagClass)]?.first.map { RetainedString($0) }
}

/// A replacement for `Unmanaged<CFString>`, which is impossible on Linux because `CFString` is not a class there.
public struct RetainedString: Sendable {
    private let string: CFString

    init(_ string: CFString) { self.string = string }

    /// Returns the string.
    public func takeRetainedValue() -> CFString { string }
    /// Returns the string.
    public func takeUnretainedValue() -> CFString { string }
}
