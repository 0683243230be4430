extension V4L2BufferSet {
    /// The memory planes of a buffer, at most three: no supported format has more.
    struct Planes {
        private var first = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var second = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var third = UnsafeMutableRawBufferPointer(start: nil, count: 0)

        /// Whether the planes have the same addresses as the planes of another buffer.
        func haveSameAddresses(as other: Planes) -> Bool {
            first.baseAddress == other.first.baseAddress && second.baseAddress == other.second.baseAddress
                && third.baseAddress == other.third.baseAddress
        }

        subscript(index: Int) -> UnsafeMutableRawBufferPointer {
            get {
                switch index {
                case 0: first
                case 1: second
                default: third
                }
            }
            set {
                switch index {
                case 0: first = newValue
                case 1: second = newValue
                default: third = newValue
                }
            }
        }
    }

    /// A buffer that the driver filled.
    struct FilledBuffer {
        var index: Int
        /// `V4L2_BUF_FLAG_…`
        var flags: UInt32
        var sequence: UInt32
        /// A time of CLOCK_MONOTONIC if `flags` contain V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC; 0 if the driver sets no
        /// timestamps.
        var timestampNanoseconds: Int64
        /// The filled bytes of each memory plane, from the start of the frame.
        var data: Planes
        /// Whether the driver has no other buffer to fill.
        var isLast: Bool
    }
}
