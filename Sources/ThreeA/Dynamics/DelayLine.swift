/// A delay line for a value that takes effect some frames after it is set. It returns the effective value of each
/// frame.
package struct DelayLine<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The number of frames from setting a value to the first frame that shows it.
    package let lag: Int
    /// The values set at the last frames, oldest first; at most `lag` + 1.
    private var values: [Value]

    /// Creates a delay line that returns `value` for the first frames.
    package init(lag: Int, value: Value) {
        self.lag = max(0, lag)
        values = [value]
    }

    /// Advances by one frame, and returns its effective value.
    ///
    /// - Parameter current: The value that is set at this frame.
    package mutating func advance(_ current: Value) -> Value {
        values.append(current)
        // Until the line is filled, it returns the initial value.
        if values.count > lag + 1 { values.removeFirst() }
        return values[0]
    }
}
