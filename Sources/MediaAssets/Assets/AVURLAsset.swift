// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import AssetTypes
import CaptureHAL
public import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
public import UniformTypeIdentifiers

/// Asset option: whether durations and times must be exact. It has no effect: they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Asset option: which references to other files are followed. It has no effect: none are.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
/// Asset option: the MIME type of the file. It has no effect: the type is detected from the contents.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// Asset option: the value of the `User-Agent` header of HTTP requests, a `String`.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

/// A movie or audio file at a URL.
///
/// The URL can have the scheme `http` or `https` if the server supports byte-range requests, or another scheme if the
/// delegate of `resourceLoader` loads the file. The first request is sent when the asset is first read. No other URL is
/// requested, except after a redirect.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates an asset for the file at a URL.
    ///
    /// - Parameter options: `AVURLAssetHTTPUserAgentKey`; other options have no effect.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        userAgent = options?[AVURLAssetHTTPUserAgentKey] as? String
        resourceLoader = AVAssetResourceLoader(url, system: CaptureSystem.current)
        super.init(fileURL: url, system: CaptureSystem.current)
    }

    public let url: URL
    /// Loads the asset through a delegate if the URL's scheme is not `file`, `http` or `https`.
    public let resourceLoader: AVAssetResourceLoader
    private let userAgent: String?
    /// The remote file; nil before it is opened, and for a local file.
    private let remote = Lock<RemoteFile?>(nil)

    /// The transfers so far; nil for a local file, and before the file is opened.
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
                case .protected: .contentIsProtected
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

    /// Nil: HTTP sessions are not used.
    public var httpSessionIdentifier: UUID? { nil }
    /// Nil: media is only read from the file itself.
    public var sidecarURL: URL? { nil }
    /// False: no protected content can be read.
    public var mayRequireContentKeysForMediaDataProcessing: Bool { false }

    /// The types of files that can be opened.
    public class func audiovisualTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a, .caf, .wav] }
}
