import Glibc

/// Bytes of sound: of one channel, or of several that are interleaved.
public struct AudioBuffer: @unchecked Sendable {
    // SAFETY: the pointer is only an address; who reads or writes through it keeps the memory alive.
    /// Channels that are interleaved in the bytes.
    public var mNumberChannels: UInt32
    /// How many bytes there are.
    public var mDataByteSize: UInt32
    /// The bytes.
    public var mData: UnsafeMutableRawPointer?

    /// Makes an empty buffer.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// Makes a buffer from its fields.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// A count of buffers and the first of them; the others follow in memory.
///
/// Lists of more than one are handled through `UnsafeMutableAudioBufferListPointer`.
public struct AudioBufferList: @unchecked Sendable {
    // SAFETY: as `AudioBuffer`.
    /// How many buffers there are.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// Makes a list of no buffers.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// Makes a list from its fields.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// Bytes that a list of so many buffers needs.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + max(0, maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates zeroed memory for a list; freed by `free(list.unsafeMutablePointer)`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers))
        guard let memory else { fatalError("no memory for a list of \(maximumBuffers) audio buffers") }
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        list.count = maximumBuffers
        return list
    }
}

/// A list of audio buffers as a collection.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// The list in memory.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// Shows a list.
    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// Shows a list, if there is one.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        self.init(p)
    }

    /// The list in memory, to read.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// How many buffers there are; the memory must have room for what is set.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// The first index.
    public var startIndex: Int { 0 }
    /// The index behind the last buffer.
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
