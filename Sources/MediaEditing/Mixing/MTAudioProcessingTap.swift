// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation
import MediaAssets
public import MediaTypes

/// Whether a tap processes samples before or after the volume is applied.
public typealias MTAudioProcessingTapCreationFlags = UInt32

/// The tap processes samples before the volume is applied.
public let kMTAudioProcessingTapCreationFlag_PreEffects: MTAudioProcessingTapCreationFlags = 1 << 0
/// The tap processes samples after the volume is applied.
public let kMTAudioProcessingTapCreationFlag_PostEffects: MTAudioProcessingTapCreationFlags = 1 << 1

/// Whether samples start or end a stream.
public typealias MTAudioProcessingTapFlags = UInt32

/// The samples are the first of a continuous stream.
public let kMTAudioProcessingTapFlag_StartOfStream: MTAudioProcessingTapFlags = 1 << 8
/// There are no more samples.
public let kMTAudioProcessingTapFlag_EndOfStream: MTAudioProcessingTapFlags = 1 << 9

/// The version of `MTAudioProcessingTapCallbacks`.
public let kMTAudioProcessingTapCallbacksVersion_0: Int32 = 0

/// Called when a tap is created, with `clientInfo`. It can store a pointer to the tap's own data in the third argument.
public typealias MTAudioProcessingTapInitCallback =
    (MTAudioProcessingTap, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Void
/// Called once when a tap is released.
public typealias MTAudioProcessingTapFinalizeCallback = (MTAudioProcessingTap) -> Void
/// Called before samples are processed, with the maximum number of frames and their format.
public typealias MTAudioProcessingTapPrepareCallback =
    (MTAudioProcessingTap, CMItemCount, UnsafePointer<AudioStreamBasicDescription>) -> Void
/// Called after the last samples are processed, once for each call of `prepare`.
public typealias MTAudioProcessingTapUnprepareCallback = (MTAudioProcessingTap) -> Void
/// Called to process samples, with the number of frames and the creation flags.
///
/// The buffers of the list initially have no memory; the callback sets their pointers to the processed samples. It also
/// sets the number of processed frames and the flags of the stream.
public typealias MTAudioProcessingTapProcessCallback =
    (
        MTAudioProcessingTap, CMItemCount, MTAudioProcessingTapFlags, UnsafeMutablePointer<AudioBufferList>,
        UnsafeMutablePointer<CMItemCount>, UnsafeMutablePointer<MTAudioProcessingTapFlags>
    ) -> Void

/// The callbacks of a tap.
///
/// - Note: Unlike Apple, the callbacks are Swift functions and can capture values.
public struct MTAudioProcessingTapCallbacks {
    public var version: Int32
    public var clientInfo: UnsafeMutableRawPointer?
    public var `init`: MTAudioProcessingTapInitCallback?
    public var finalize: MTAudioProcessingTapFinalizeCallback?
    public var prepare: MTAudioProcessingTapPrepareCallback?
    public var unprepare: MTAudioProcessingTapUnprepareCallback?
    public var process: MTAudioProcessingTapProcessCallback

    public init(
        version: Int32, clientInfo: UnsafeMutableRawPointer?, init: MTAudioProcessingTapInitCallback?,
        finalize: MTAudioProcessingTapFinalizeCallback?, prepare: MTAudioProcessingTapPrepareCallback?,
        unprepare: MTAudioProcessingTapUnprepareCallback?, process: @escaping MTAudioProcessingTapProcessCallback
    ) {
        self.version = version
        self.clientInfo = clientInfo
        self.`init` = `init`
        self.finalize = finalize
        self.prepare = prepare
        self.unprepare = unprepare
        self.process = process
    }
}

/// Calls functions of the client that process the decoded samples of a track.
///
/// One reader at a time uses a tap. Samples are 32-bit floating-point, one buffer for each channel.
/// - Important: Confined to the thread that reads.
public final class MTAudioProcessingTap: @unchecked Sendable {
    // SAFETY: the mutable properties are set by the initializer and by the one reader that uses the tap.
    private let callbacks: MTAudioProcessingTapCallbacks
    let flags: MTAudioProcessingTapCreationFlags
    /// The data that the init callback stored; nil if it stored none.
    fileprivate private(set) var storage: UnsafeMutableRawPointer?
    /// The samples for the current call of the process callback; nil outside it.
    fileprivate var source: TapSource?

    fileprivate init(_ callbacks: MTAudioProcessingTapCallbacks, _ flags: MTAudioProcessingTapCreationFlags) {
        self.callbacks = callbacks
        self.flags = flags
        var storage: UnsafeMutableRawPointer?
        callbacks.`init`?(self, callbacks.clientInfo, &storage)
        self.storage = storage
    }

    deinit { callbacks.finalize?(self) }

    var processesAfterEffects: Bool { flags & kMTAudioProcessingTapCreationFlag_PostEffects != 0 }

    func prepare(_ maximumFrameCount: Int, rate: Double, channels: Int) {
        var format = AudioStreamBasicDescription()
        format.mSampleRate = rate
        format.mFormatID = kAudioFormatLinearPCM
        format.mFormatFlags =
            kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved
        format.mBitsPerChannel = 32
        format.mChannelsPerFrame = UInt32(channels)
        format.mFramesPerPacket = 1
        format.mBytesPerFrame = 4
        format.mBytesPerPacket = 4
        callbacks.prepare?(self, maximumFrameCount, &format)
    }

    func unprepare() { callbacks.unprepare?(self) }

    /// Processes interleaved samples in place.
    func process(_ samples: inout [Float], channels: Int, at time: CMTimeRange, _ flags: MTAudioProcessingTapFlags) {
        let frameCount = samples.count / channels
        let list = AudioBufferList.allocate(maximumBuffers: channels)
        defer { free(list.unsafeMutablePointer) }
        for channel in 0..<channels {
            list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(frameCount * 4), mData: nil)
        }
        let source = TapSource(samples, channels, time, flags)
        self.source = source
        var (count, flagsOut): (CMItemCount, MTAudioProcessingTapFlags) = (0, 0)
        callbacks.process(self, frameCount, self.flags, list.unsafeMutablePointer, &count, &flagsOut)
        self.source = nil
        for channel in 0..<channels {
            let buffer = list[channel]
            let available = min(count, Int(buffer.mDataByteSize) / 4)
            let values = buffer.mData.map { UnsafeRawBufferPointer(start: $0, count: available * 4) }
            for frame in 0..<frameCount {
                let value = frame < available ? values?.loadUnaligned(fromByteOffset: 4 * frame, as: Float.self) : nil
                samples[frame * channels + channel] = value ?? 0
            }
        }
        withExtendedLifetime(source) {}
    }
}

/// The samples that a tap can request during one call.
private final class TapSource {
    private let memory: UnsafeMutablePointer<Float>
    private let frameCount: Int
    private let channels: Int
    private let time: CMTimeRange
    private let flags: MTAudioProcessingTapFlags
    private var position = 0

    /// Copies interleaved samples to one plane for each channel.
    ///
    /// - Parameter time: The time range of the samples on the timeline of the asset.
    init(_ samples: [Float], _ channels: Int, _ time: CMTimeRange, _ flags: MTAudioProcessingTapFlags) {
        frameCount = samples.count / channels
        self.channels = channels
        self.time = time
        self.flags = flags
        memory = .allocate(capacity: max(1, samples.count))
        memory.initialize(repeating: 0, count: max(1, samples.count))
        for (index, sample) in samples.enumerated() {
            memory[index % channels * frameCount + index / channels] = sample
        }
    }

    deinit { memory.deallocate() }

    /// Returns the next frames in a buffer list; see `MTAudioProcessingTapGetSourceAudio`.
    func read(
        _ count: Int, _ list: UnsafeMutableAudioBufferListPointer, _ flagsOut: UnsafeMutablePointer<UInt32>?,
        _ timeOut: UnsafeMutablePointer<CMTimeRange>?, _ countOut: UnsafeMutablePointer<CMItemCount>?
    ) {
        let available = min(count, frameCount - position)
        for channel in 0..<min(channels, list.count) {
            let start = memory + channel * frameCount + position
            if let data = list[channel].mData {
                data.copyMemory(from: start, byteCount: 4 * available)
            } else {
                list[channel].mData = UnsafeMutableRawPointer(start)
            }
            list[channel].mDataByteSize = UInt32(4 * available)
        }
        let duration = { [time, frameCount] (frames: Int) in
            CMTimeMultiplyByRatio(time.duration, multiplier: Int32(frames), divisor: Int32(max(1, frameCount)))
        }
        timeOut?.pointee = CMTimeRange(start: time.start + duration(position), duration: duration(available))
        flagsOut?.pointee = position == 0 ? flags : flags & ~kMTAudioProcessingTapFlag_StartOfStream
        countOut?.pointee = available
        position += available
    }
}

/// Creates a tap.
///
/// - Returns: 0; `kMTAudioProcessingTap_InvalidArgument` (−12780) for an unknown version, or unless exactly one
///   creation flag is set.
public func MTAudioProcessingTapCreate(
    _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
    _ flags: MTAudioProcessingTapCreationFlags, _ tapOut: UnsafeMutablePointer<MTAudioProcessingTap?>
) -> OSStatus {
    guard callbacks.pointee.version == kMTAudioProcessingTapCallbacksVersion_0,
        flags == kMTAudioProcessingTapCreationFlag_PreEffects
            || flags == kMTAudioProcessingTapCreationFlag_PostEffects
    else { return invalidArgument }
    tapOut.pointee = MTAudioProcessingTap(callbacks.pointee, flags)
    return 0
}

/// Creates a tap with a reference that the caller must release; see the overload with a managed reference.
public func MTAudioProcessingTapCreate(
    _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
    _ flags: MTAudioProcessingTapCreationFlags, _ tapOut: UnsafeMutablePointer<Unmanaged<MTAudioProcessingTap>?>
) -> OSStatus {
    var tap: MTAudioProcessingTap?
    let status = MTAudioProcessingTapCreate(allocator, callbacks, flags, &tap)
    // SAFETY: the caller owns the reference, as with every function with "Create" in its name.
    tapOut.pointee = tap.map { Unmanaged.passRetained($0) }
    return status
}

/// Returns the type ID of taps. The number differs from those of the package's other types with a type ID.
public func MTAudioProcessingTapGetTypeID() -> CFTypeID { 11 }

/// Returns the data that the init callback stored.
///
/// - Note: Unlike Apple, the function traps if the callback stored nothing.
public func MTAudioProcessingTapGetStorage(_ tap: MTAudioProcessingTap) -> UnsafeMutableRawPointer {
    guard let storage = tap.storage else { preconditionFailure("the init callback of the tap stored no data") }
    return storage
}

/// Gets the unprocessed samples of the track. Only the process callback may call it.
///
/// - Parameters:
///   - bufferListInOut: Buffers without memory receive pointers that are valid until the callback returns; those with
///     memory receive copies.
///   - flagsOut: Whether the samples begin or end a stream.
///   - timeRangeOut: The time of the samples on the timeline of the asset.
///   - numberFramesOut: The number of frames, at most `numberFrames`.
/// - Returns: 0; −12780 outside the process callback, or for a negative number of frames.
public func MTAudioProcessingTapGetSourceAudio(
    _ tap: MTAudioProcessingTap, _ numberFrames: CMItemCount, _ bufferListInOut: UnsafeMutablePointer<AudioBufferList>,
    _ flagsOut: UnsafeMutablePointer<MTAudioProcessingTapFlags>?, _ timeRangeOut: UnsafeMutablePointer<CMTimeRange>?,
    _ numberFramesOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard let source = tap.source, numberFrames >= 0 else { return invalidArgument }
    source.read(
        numberFrames, UnsafeMutableAudioBufferListPointer(bufferListInOut), flagsOut, timeRangeOut, numberFramesOut)
    return 0
}

/// `kMTAudioProcessingTap_InvalidArgument`.
private let invalidArgument: OSStatus = -12780
