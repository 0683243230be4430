public import Foundation

/// A four-character code packed into 32 bits, first character in the most significant byte.
public typealias FourCharCode = UInt32

/// The four-character code of a type or pixel format.
public typealias OSType = FourCharCode

/// A result code of the C media functions; 0 is success.
public typealias OSStatus = Int32

/// The result code for success.
public let noErr: OSStatus = 0

/// Apple's `CFString`.
///
/// - Note: Unlike Apple, this is `String`, so that `key as String` and `"x" as CFString` both compile.
public typealias CFString = String

/// Apple's `CFDictionary`, as a Swift dictionary with string keys.
///
/// - Note: Unlike Apple, this is a value type: functions return copies. `[String: T] as CFDictionary` compiles for
///   every `T`.
public typealias CFDictionary = [String: Any]

/// Apple's `CFArray`, as a Swift array.
///
/// - Note: Unlike Apple, this is a value type.
public typealias CFArray = [Any]

/// Apple's `CFTypeRef`: any value.
public typealias CFTypeRef = Any

/// Apple's `CFBoolean`, as a Swift Boolean.
public typealias CFBoolean = Bool

/// Apple's `CFNumber`, as a Foundation class.
public typealias CFNumber = NSNumber

/// Apple's `CFData`, as a Foundation value.
public typealias CFData = Data

/// Apple's `CFURL`, as a Foundation value.
public typealias CFURL = URL

/// Apple's `CFIndex`: a signed size or position.
public typealias CFIndex = Int

/// Apple's `CFRange`: a range of positions.
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

/// Apple's `CFTimeInterval`: a time in seconds.
public typealias CFTimeInterval = Double

/// A pointer to a result of a method; the type of Objective-C parameters such as `NSDictionary **`.
///
/// - Note: Unlike Apple, this is a plain pointer: nothing is autoreleased.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// A Boolean in one byte; the pointee of parameters such as `Boolean *`.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, CustomStringConvertible, Equatable, Sendable {
    private var value: UInt8

    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    public init(booleanLiteral value: Bool) { self.init(value) }

    /// The value for Swift.
    public var boolValue: Bool { value != 0 }

    public var description: String { boolValue.description }
}

/// Apple's `CFComparisonResult`: the order of two values.
public enum CFComparisonResult: Int, Sendable {
    case compareLessThan = -1
    case compareEqualTo = 0
    case compareGreaterThan = 1
}

/// The type ID of a class in the C functions.
///
/// - Note: Unlike Apple, the IDs are constants, which are unique within the package.
public typealias CFTypeID = UInt

/// An allocator parameter of the C functions.
///
/// - Note: Unlike Apple, the library always allocates memory itself. Only `kCFAllocatorNull` has an effect, as a block
///   allocator that does not free memory.
public final class CFAllocator: Sendable {
    init() {}
}

/// The default allocator, equal to `nil`.
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
