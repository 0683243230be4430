extension V4L2BufferSet {
    /// The memory planes of a buffer, at most three: no format here has more.
    struct Planes {
        private var first = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var second = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var third = UnsafeMutableRawBufferPointer(start: nil, count: 0)

        subscript(index: Int) -> UnsafeMutableRawBufferPointer {
            get { index == 0 ? first : index == 1 ? second : third }
            set {
                switch index {
                case 0: first = newValue
                case 1: second = newValue
                default: third = newValue
                }
            }
        }

        /// Leaves out what lies behind the first bytes of the first plane.
        mutating func cutFirst(to byteCount: Int) {
            first = UnsafeMutableRawBufferPointer(
                start: first.baseAddress, count: max(0, min(byteCount, first.count)))
        }

        /// Where the planes begin.
        var begins: Begins { Begins(first.baseAddress, second.baseAddress, third.baseAddress) }
    }

    /// Where the memory planes of a picture begin.
    struct Begins: Equatable {
        private let first: UnsafeMutableRawPointer?
        private let second: UnsafeMutableRawPointer?
        private let third: UnsafeMutableRawPointer?

        fileprivate init(
            _ first: UnsafeMutableRawPointer?, _ second: UnsafeMutableRawPointer?, _ third: UnsafeMutableRawPointer?
        ) {
            (self.first, self.second, self.third) = (first, second, third)
        }
    }

    /// A buffer as the driver filled it.
    struct Filled {
        var index: Int
        var flags: UInt32
        var sequence: UInt32
        /// Of CLOCK_MONOTONIC where `flags` say so; 0 where the driver stamps nothing.
        var timestampNanoseconds: Int64
        /// The filled bytes of each memory plane, without what lies before the picture.
        var data: Planes
        /// Whether the driver has no other buffer to fill.
        var isLast: Bool
    }
}
