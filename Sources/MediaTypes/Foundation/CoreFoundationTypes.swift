public import Foundation

/// A four-character code packed into 32 bits, first character in the most significant byte.
public typealias FourCharCode = UInt32

/// The four-character code of a type or pixel format.
public typealias OSType = FourCharCode

/// A result code of the C media functions; 0 is success.
public typealias OSStatus = Int32

/// The result code for success.
public let noErr: OSStatus = 0

/// A string where Apple's headers say `CFString`.
///
/// - Note: Unlike Apple, this is `String` itself, so that `key as String` and `"x" as CFString` both compile.
public typealias CFString = String

/// A dictionary with string keys, where Apple's headers say `CFDictionary`.
///
/// - Note: Unlike Apple, this is a value type: functions return copies. `[String: T] as CFDictionary` compiles for
///   every `T`.
public typealias CFDictionary = [String: Any]

/// An array, where Apple's headers say `CFArray`.
///
/// - Note: Unlike Apple, this is a value type.
public typealias CFArray = [Any]

/// Any value, where Apple's headers say `CFTypeRef`.
public typealias CFTypeRef = Any

/// A Boolean, where Apple's headers say `CFBoolean`.
public typealias CFBoolean = Bool

/// A number object, where Apple's headers say `CFNumber`.
public typealias CFNumber = NSNumber

/// Data, where Apple's headers say `CFData`.
public typealias CFData = Data

/// A URL, where Apple's headers say `CFURL`.
public typealias CFURL = URL

/// A signed size or position, where Apple's headers say `CFIndex`.
public typealias CFIndex = Int

/// A range of positions, where Apple's headers say `CFRange`.
public struct CFRange: Hashable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of positions.
    public var length: CFIndex

    /// Creates a range.
    public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }

    /// Creates an empty range at 0.
    public init() { self.init(location: 0, length: 0) }
}

/// A time in seconds, where Apple's headers say `CFTimeInterval`.
public typealias CFTimeInterval = Double

/// A pointer to a result of a method, where Apple's headers say `NSDictionary **` and the like.
///
/// - Note: Unlike Apple, this is a plain pointer: nothing is autoreleased.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// A byte that is true or false, where Apple's headers say `Boolean *`.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, CustomStringConvertible, Equatable, Sendable {
    private var value: UInt8

    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    public init(booleanLiteral value: Bool) { self.init(value) }

    /// The value for Swift.
    public var boolValue: Bool { value != 0 }

    public var description: String { boolValue.description }
}

/// The order of two values, where Apple's headers say `CFComparisonResult`.
public enum CFComparisonResult: Int, Sendable {
    case compareLessThan = -1
    case compareEqualTo = 0
    case compareGreaterThan = 1
}

/// The type ID of a class in the C functions.
public typealias CFTypeID = UInt

/// An allocator parameter of the C functions.
///
/// - Note: Unlike Apple, the library always allocates memory itself. Only `kCFAllocatorNull` has an effect, as a block
///   allocator that does not free memory.
public final class CFAllocator: Sendable {
    init() {}
}

/// The default allocator, which is also what `nil` means.
public let kCFAllocatorDefault: CFAllocator! = nil

/// The system's allocator.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()

/// The allocator that uses `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()

/// The allocator that neither allocates nor frees; as a block allocator, it leaves the memory to the caller.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// The Boolean value true.
public let kCFBooleanTrue: CFBoolean! = true

/// The Boolean value false.
public let kCFBooleanFalse: CFBoolean! = false
