import Foundation

/// Returns an error like Apple's for a result code: an `NSError` in `NSOSStatusErrorDomain`.
///
/// - Parameter reason: The problem and its solution.
func mediaError(_ status: OSStatus, _ reason: String) -> any Error {
    NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: reason])
}
