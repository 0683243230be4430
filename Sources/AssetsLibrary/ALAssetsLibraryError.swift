// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation
import MediaTypes
import PhotoStore

/// The domain of the library's errors, which are `NSError`s.
public let ALAssetsLibraryErrorDomain = "ALAssetsLibraryErrorDomain"

public var ALAssetsLibraryUnknownError: Int { -1 }
public var ALAssetsLibraryWriteFailedError: Int { -3300 }
/// Another program writes to the library.
public var ALAssetsLibraryWriteBusyError: Int { -3301 }
/// The image data or the movie is damaged.
public var ALAssetsLibraryWriteInvalidDataError: Int { -3302 }
/// The library does not accept this kind of file.
public var ALAssetsLibraryWriteIncompatibleDataError: Int { -3303 }
/// The image cannot be encoded.
public var ALAssetsLibraryWriteDataEncodingError: Int { -3304 }
public var ALAssetsLibraryWriteDiskSpaceError: Int { -3305 }
/// The library cannot be opened.
public var ALAssetsLibraryDataUnavailableError: Int { -3310 }
/// The user denied the access.
public var ALAssetsLibraryAccessUserDeniedError: Int { -3311 }
/// The access is restricted.
public var ALAssetsLibraryAccessGloballyDeniedError: Int { -3312 }

/// Creates an error of the assets library.
func makeLibraryError(_ code: Int, _ message: String, cause: (any Error)? = nil) -> NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: message]
    if let cause { info[NSUnderlyingErrorKey] = cause.describedNSError }
    return NSError(domain: ALAssetsLibraryErrorDomain, code: code, userInfo: info)
}

/// Creates the error for an error of the photo library.
func makeLibraryError(_ error: any Error) -> NSError {
    guard let photos = error as? PHPhotosError else {
        return makeLibraryError(ALAssetsLibraryUnknownError, "\(error)", cause: error)
    }
    return makeLibraryError(libraryErrorCode(photos.code), photos.message, cause: photos)
}

private func libraryErrorCode(_ code: PHPhotosError.Code) -> Int {
    switch code {
    case .invalidResource: ALAssetsLibraryWriteInvalidDataError
    case .missingResource, .changeNotSupported, .requestNotSupportedForAsset, .limitExceeded:
        ALAssetsLibraryWriteFailedError
    case .operationInterrupted: ALAssetsLibraryWriteBusyError
    case .notEnoughSpace: ALAssetsLibraryWriteDiskSpaceError
    case .libraryVolumeOffline, .relinquishingLibraryBundleToWriter, .switchingSystemPhotoLibrary,
        .networkAccessRequired, .networkError, .identifierNotFound, .multipleIdentifiersFound,
        .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable, .libraryInFileProviderSyncRoot:
        ALAssetsLibraryDataUnavailableError
    case .accessUserDenied: ALAssetsLibraryAccessUserDeniedError
    case .accessRestricted: ALAssetsLibraryAccessGloballyDeniedError
    case .internalError, .userCancelled: ALAssetsLibraryUnknownError
    }
}
