package import Foundation

extension Error {
    /// The error as an `NSError` with a description and a failure reason.
    ///
    /// Foundation on Linux prints an `NSError` without a failure reason as `(null)`.
    package var describedNSError: NSError {
        let error = self as NSError
        let object: Any = self
        let text = object is NSError ? error.localizedDescription : String(describing: self)
        let texts: [String: Any] = [NSLocalizedDescriptionKey: text, NSLocalizedFailureReasonErrorKey: text]
        return NSError(
            domain: error.domain, code: error.code, userInfo: error.userInfo.merging(texts) { own, _ in own })
    }
}
