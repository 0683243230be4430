/// Runs `body`. On Linux there are no autoreleased objects, so no pool is created.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
