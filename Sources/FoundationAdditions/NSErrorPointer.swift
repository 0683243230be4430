public import Foundation

/// A pointer to a variable that receives an error; nil if the caller ignores it. Foundation on Linux does not have it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
