/// Tells which value formed the frame that comes now, where a value that is set shows some frames later.
package struct DelayLine<Value: Sendable & Hashable>: Sendable, Hashable {
    /// Frames from setting a value to the first one that shows it.
    package let lag: Int
    /// The values in force at the last frames, oldest first; at most `lag` + 1.
    private var values: [Value]

    package init(lag: Int, value: Value) {
        self.lag = max(0, lag)
        values = [value]
    }

    /// The value that formed the frame that comes now, while `current` is set.
    package mutating func advance(_ current: Value) -> Value {
        values.append(current)
        // At the begin the first value has been there for ever.
        if values.count > lag + 1 { values.removeFirst() }
        return values[0]
    }
}
