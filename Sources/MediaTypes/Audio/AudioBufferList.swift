import Glibc

/// A buffer of audio data with one channel or several interleaved channels.
public struct AudioBuffer: @unchecked Sendable {
    // SAFETY: the pointer is only an address. Code that accesses the memory must ensure that it is allocated.
    /// The number of interleaved channels.
    public var mNumberChannels: UInt32
    /// The size of the data in bytes.
    public var mDataByteSize: UInt32
    /// The data.
    public var mData: UnsafeMutableRawPointer?

    /// Creates an empty buffer.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// Creates a buffer from its fields.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// A variable-length list of buffers: a count and the first buffer, followed in memory by the others.
///
/// Use `UnsafeMutableAudioBufferListPointer` to access more than the first buffer.
public struct AudioBufferList: @unchecked Sendable {
    // SAFETY: the same as for `AudioBuffer`.
    /// The number of buffers.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// Creates an empty list.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// Creates a list from its fields.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// Returns the size in bytes of a list with a number of buffers.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + max(0, maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates zeroed memory for a list; the caller frees it with `free(list.unsafeMutablePointer)`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers))
        guard let memory else { fatalError("cannot allocate a list of \(maximumBuffers) audio buffers") }
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        list.count = maximumBuffers
        return list
    }
}

/// A list of audio buffers as a collection.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// The list in memory.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// Creates a collection of a list's buffers.
    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// Creates a collection of a list's buffers; nil if the pointer is nil.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        self.init(p)
    }

    /// The list in memory, for reading.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// The number of buffers. Before it is increased, the memory must be large enough.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// The first index.
    public var startIndex: Int { 0 }
    /// The index after the last buffer.
    public var endIndex: Int { count }

    /// The buffer at an index.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(index >= 0 && index < count, "audio buffer \(index) is not in 0..<\(count)")
            return first[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count, "audio buffer \(index) is not in 0..<\(count)")
            first[index] = newValue
        }
    }

    private var first: UnsafeMutablePointer<AudioBuffer> {
        let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
    }
}
