import AssetTypes
import Foundation

/// Returns the reason of an error in plain words.
///
/// Descriptions of Foundation's errors contain domains, codes and dictionaries. Their reason is the message of the
/// operating system for the underlying error, or for the code.
package func errorReason(_ error: any Error) -> String {
    if let error = error as? AVError { return error.errorDescription ?? "\(error.code)" }
    guard isFoundationError(error) else {
        return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
    let bridged = error as NSError
    switch bridged.domain {
    case NSPOSIXErrorDomain: return String(cString: strerror(Int32(truncatingIfNeeded: bridged.code)))
    case NSCocoaErrorDomain:
        if let cause = bridged.userInfo[NSUnderlyingErrorKey] as? any Error { return errorReason(cause) }
        let codes: [CocoaError.Code: Int32] = [
            .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES,
            .fileWriteNoPermission: EACCES, .fileWriteOutOfSpace: ENOSPC, .fileWriteVolumeReadOnly: EROFS,
            .fileWriteFileExists: EEXIST, .fileReadTooLarge: EFBIG,
        ]
        if let code = codes[CocoaError.Code(rawValue: bridged.code)] { return String(cString: strerror(code)) }
        return bridged.code == CocoaError.Code.fileReadInapplicableStringEncoding.rawValue
            || bridged.code == CocoaError.Code.fileReadCorruptFile.rawValue
            ? "the file is damaged or is not text" : "the operation failed"
    default: return error.localizedDescription
    }
}

/// Whether an error has a type of Foundation. Its description is then not fit for users.
package func isFoundationError(_ error: any Error) -> Bool {
    error is CocoaError || error is POSIXError || type(of: error as Any) is NSError.Type
}
