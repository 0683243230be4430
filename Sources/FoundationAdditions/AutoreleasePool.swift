/// Runs `body`; on Linux objects are released when their last user lets go of them, without a pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
