import Foundation

/// Turns a result code into Apple's thrown form of it: an `NSError` in `NSOSStatusErrorDomain`.
///
/// - Parameter reason: What was wrong and what would be right.
func mediaError(_ status: OSStatus, _ reason: String) -> any Error {
    NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: reason])
}
