import Foundation

/// Returns Apple's error for a result code: an `NSError` in `NSOSStatusErrorDomain`.
///
/// - Parameter reason: The problem and its correction.
func mediaError(_ status: OSStatus, _ reason: String) -> any Error {
    NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: reason])
}
