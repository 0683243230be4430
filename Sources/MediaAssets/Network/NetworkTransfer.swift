/// Statistics of the transfers of an asset over the network.
package struct NetworkTransfer: Sendable {
    /// The number of completed requests for ranges of bytes.
    package private(set) var requestCount = 0
    /// The number of received bytes.
    package private(set) var byteCount: Int64 = 0
    /// The total duration of the requests, in seconds.
    package private(set) var seconds = 0.0

    /// Adds a completed request.
    mutating func add(byteCount: Int, seconds: Double) {
        requestCount += 1
        self.byteCount += Int64(byteCount)
        self.seconds += seconds
    }
}
