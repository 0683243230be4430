/// What was transferred of an asset on the network.
package struct NetworkTransfer: Sendable {
    /// The number of ranges that were requested.
    package private(set) var requestCount = 0
    package private(set) var byteCount: Int64 = 0
    /// Seconds that the requests took.
    package private(set) var seconds = 0.0

    /// Adds an answered request.
    mutating func add(byteCount: Int, seconds: Double) {
        requestCount += 1
        self.byteCount += Int64(byteCount)
        self.seconds += seconds
    }
}
