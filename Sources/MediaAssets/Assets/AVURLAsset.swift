// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation
import MediaCodecs
public import UniformTypeIdentifiers

/// Asset option: whether durations and times must be exact; here they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Asset option: which references to other files are followed; here none are.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// Asset option: the file's type if its name does not indicate it; here only the content matters.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// Asset option: the value of the header `User-Agent` of requests over HTTP, a `String`.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

/// A movie or audio file at a URL.
///
/// The file can also be on a server of HTTP that delivers ranges of bytes, and has another scheme if a delegate of
/// `resourceLoader` loads it. Only the URL itself is requested, when the asset is first read.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates an asset for the file at a URL.
    ///
    /// - Parameter options: `AVURLAssetHTTPUserAgentKey`; others are without effect: times are always exact, and only
    ///   the file itself is read.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        userAgent = options?[AVURLAssetHTTPUserAgentKey] as? String
        resourceLoader = AVAssetResourceLoader(url, system: CaptureSystem.current)
        super.init(fileURL: url, system: CaptureSystem.current)
    }

    public let url: URL
    /// Loads the asset by a delegate if the URL's scheme is not `file`, `http` or `https`.
    public let resourceLoader: AVAssetResourceLoader
    private let userAgent: String?
    /// The opened file; nil before, and for a file of this machine.
    private let remote = Lock<RemoteFile?>(nil)

    /// What was transferred until now; nil for a file of this machine, and before it is opened.
    package var networkTransfer: NetworkTransfer? { remote.withLock { $0 }?.transfer }

    override func openFile() throws(AVError) -> MovieFile? {
        if url.isFileURL { return try super.openFile() }
        if isOnServer(url) { return try read(openRemoteFile(url)) }
        switch try resourceLoader.locate() {
        case .delegate(let file): return try read(file)
        case .redirect(let other) where other.isFileURL:
            do throws(MediaFileError) {
                return try MovieFile.open(other, in: system.storage)
            } catch {
                throw AVError(error)
            }
        case .redirect(let other) where isOnServer(other): return try read(openRemoteFile(other))
        case .redirect(let other):
            throw AVError(
                .failedToLoadMediaData,
                "\(url.absoluteString) is redirected to \(other.absoluteString); only file, http and https are read")
        }
    }

    private func isOnServer(_ url: URL) -> Bool { HTTPResource.schemes.contains(url.scheme?.lowercased() ?? "") }

    private func read(_ file: RemoteFile) throws(AVError) -> MovieFile {
        remote.withLock { $0 = file }
        do throws(MediaFileError) {
            return try MovieFile.open(file)
        } catch {
            throw error.code == .inputOutput
                ? AVError(.failedToLoadMediaData, error.message, cause: error) : AVError(error)
        }
    }

    private func openRemoteFile(_ url: URL) throws(AVError) -> RemoteFile {
        do throws(MediaFileError) {
            let resource = try HTTPResource(url, userAgent: userAgent)
            return RemoteFile(url, byteCount: resource.byteCount, clock: system.clock) { offset, count in
                try resource.bytes(at: offset, count: count)
            }
        } catch {
            let code: AVError.Code =
                switch error.code {
                case .notFound: .contentIsUnavailable
                case .notPermitted: .contentIsNotAuthorized
                case .noByteRanges: .serverIncorrectlyConfigured
                case .inputOutput: .failedToLoadMediaData
                case .unsupportedCodec: .decoderNotFound
                case .outOfMemory: .outOfMemory
                case .notAFile, .notRecognized, .noMedia: .unknown
                }
            throw AVError(code, error.message, cause: error)
        }
    }

    override public func cancelLoading() { resourceLoader.cancel() }

    /// The content types of files that can be opened.
    public class var audiovisualContentTypes: [UTType] { audiovisualTypes().compactMap { UTType($0.rawValue) } }

    /// The MIME types of files that can be opened.
    public class func audiovisualMIMETypes() -> [String] {
        ["video/quicktime", "video/mp4", "video/x-m4v", "audio/x-m4a", "audio/x-caf", "audio/wav"]
    }

    /// Whether files of a MIME type can be opened; parameters, such as `codecs`, are ignored.
    public class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        let type = extendedMIMEType.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        return audiovisualMIMETypes().contains(type.lowercased())
    }

    /// Nil: no session of HTTP is used.
    public var httpSessionIdentifier: UUID? { nil }
    /// Nil: media are only read from the file itself.
    public var sidecarURL: URL? { nil }
    /// False: no protected content can be read.
    public var mayRequireContentKeysForMediaDataProcessing: Bool { false }

    /// The types of files that can be opened.
    public class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .caf, .wav] }
}
