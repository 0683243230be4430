public import Foundation

/// A four-character code packed into 32 bits, first character in the most significant byte.
public typealias FourCharCode = UInt32

/// A four-character code that names a type or a pixel format.
public typealias OSType = FourCharCode

/// A result code of the C-style media functions; 0 is success.
public typealias OSStatus = Int32

/// The result code for success.
public let noErr: OSStatus = 0

/// A string where Apple's headers say `CFString`.
///
/// - Note: Unlike Apple, this is `String` itself, so that `key as String` and `"x" as CFString` both compile.
public typealias CFString = String

/// A dictionary with string keys, where Apple's headers say `CFDictionary`.
///
/// - Note: Unlike Apple, this is a value: a dictionary handed out by a function is a copy, and changing it changes
///   nothing else. `[String: T] as CFDictionary` compiles for every `T`.
public typealias CFDictionary = [String: Any]

/// An array, where Apple's headers say `CFArray`.
///
/// - Note: Unlike Apple, this is a value.
public typealias CFArray = [Any]

/// Any value, where Apple's headers say `CFTypeRef`.
public typealias CFTypeRef = Any

/// A Boolean, where Apple's headers say `CFBoolean`.
public typealias CFBoolean = Bool

/// A number object, where Apple's headers say `CFNumber`.
public typealias CFNumber = NSNumber

/// Bytes, where Apple's headers say `CFData`.
public typealias CFData = Data

/// A locator, where Apple's headers say `CFURL`.
public typealias CFURL = URL

/// A signed size or position, where Apple's headers say `CFIndex`.
public typealias CFIndex = Int

/// A time in seconds, where Apple's headers say `CFTimeInterval`.
public typealias CFTimeInterval = Double

/// A number that identifies a class of the C-style interface.
public typealias CFTypeID = UInt

/// An allocator to name in the C-style functions.
///
/// - Note: Unlike Apple, memory always comes from this library, whatever allocator is named; only
///   `kCFAllocatorNull` is told apart, as a block allocator that frees nothing.
public final class CFAllocator: Sendable {
    init() {}
}

/// The default allocator, which is also what `nil` means.
public let kCFAllocatorDefault: CFAllocator! = nil

/// The system's allocator.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()

/// The allocator over `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()

/// The allocator that neither allocates nor frees; as block allocator it leaves the caller the owner of the memory.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// The Boolean truth as an attribute's value.
public let kCFBooleanTrue: CFBoolean! = true

/// The Boolean falsehood as an attribute's value.
public let kCFBooleanFalse: CFBoolean! = false
