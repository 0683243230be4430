// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMMemoryPool.h`.

/// Error: memory allocation failed.
public let kCMMemoryPoolError_AllocationFailed: OSStatus = -15490
/// Error: a parameter is invalid.
public let kCMMemoryPoolError_InvalidParameter: OSStatus = -15491
/// Pool option: the number of seconds after which unused memory is freed; has no effect.
public let kCMMemoryPoolOption_AgeOutPeriod: CFString = "AgeOutPeriod"

/// A pool that recycles large blocks of memory.
///
/// - Note: Unlike Apple, the pool and its allocator have no effect: memory comes from `malloc`, which recycles it.
public final class CMMemoryPool: Sendable {
    let allocator = CFAllocator()
}

/// The Core Foundation type identifier.
public func CMMemoryPoolGetTypeID() -> CFTypeID { 9 }

/// Creates a pool.
public func CMMemoryPoolCreate(options: CFDictionary?) -> CMMemoryPool { CMMemoryPool() }

/// The pool's allocator.
public func CMMemoryPoolGetAllocator(_ pool: CMMemoryPool) -> CFAllocator { pool.allocator }

/// Releases unused memory; has no effect.
public func CMMemoryPoolFlush(_ pool: CMMemoryPool) {}

/// Stops the recycling of memory; has no effect.
public func CMMemoryPoolInvalidate(_ pool: CMMemoryPool) {}
