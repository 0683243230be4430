/// Samples of one media type: an image, or the bytes of compressed or uncompressed media. A buffer for a dropped frame
/// contains only its timing.
///
/// Thread-safe. The format, and the timing and sizes of the samples, are constants. The other properties are protected
/// by a lock.
public final class CMSampleBuffer: @unchecked Sendable {
    // SAFETY: the constants are values or thread-safe objects; `state` is protected by `stateLock`.

    /// Called to provide the data; `makeDataReady` fails with a result other than 0.
    public typealias MakeDataReadyHandler = (CMSampleBuffer) -> OSStatus

    /// The properties that can change.
    struct State {
        var dataBuffer: CMBlockBuffer?
        /// Whether the data is not available yet. It is set or provided by a handler later.
        var isWaitingForData = false
        /// The error code if the data could not be provided, otherwise 0.
        var failure: OSStatus = 0
        var isValid = true
        var makeDataReady: MakeDataReadyHandler?
        /// The buffer that determines the readiness of this one.
        var tracked: CMSampleBuffer?
        /// The packet descriptions at a stable address; nil until they are first requested.
        var packetTable: PacketDescriptionTable?
        var invalidate: ((CMSampleBuffer) -> Void)?
        var outputPresentationTimeStamp = CMTime.invalid
        var attachments: [String: Attachment] = [:]
        /// Empty, or one dictionary for every sample.
        var sampleAttachments: [[String: Any]] = []
    }

    /// The image; nil for other media.
    public let imageBuffer: CVImageBuffer?
    /// The format of the samples.
    public let formatDescription: CMFormatDescription?
    /// The number of samples; for linear PCM, of frames.
    public let numSamples: CMItemCount
    /// The timing of the first sample, or of all samples; nil if the buffer has no timing.
    let firstTiming: CMSampleTimingInfo?
    /// The timing of the other samples, in decoding order; empty if `firstTiming` applies to all samples.
    let laterTimings: [CMSampleTimingInfo]
    /// The size entries in bytes: none, one for all samples, or one for each.
    let sizes: [Int]
    /// The positions and sizes of the packets of compressed audio; empty if all packets have the same size.
    let packets: [AudioStreamPacketDescription]
    /// Only used inside `withState`.
    private var state: State
    /// Protects the states of all sample buffers. They are accessed rarely and briefly; a separate lock would require a
    /// second allocation for each buffer.
    private static let stateLock = Lock(())

    init(
        image: CVImageBuffer?, data: CMBlockBuffer?, format: CMFormatDescription?, count: Int,
        timing: CMSampleTimingInfo?, laterTimings: [CMSampleTimingInfo] = [], sizes: [Int],
        packets: [AudioStreamPacketDescription] = [], isReady: Bool = true,
        makeDataReady: MakeDataReadyHandler? = nil, attachments: [String: Attachment] = [:]
    ) {
        imageBuffer = image
        formatDescription = format
        numSamples = count
        firstTiming = timing
        self.laterTimings = laterTimings
        self.sizes = sizes
        self.packets = packets
        state = State(
            dataBuffer: data, isWaitingForData: !isReady, makeDataReady: makeDataReady, attachments: attachments)
    }

    /// Runs `body` with exclusive access to the state.
    ///
    /// `body` must not release values of clients, such as attachments, because their `deinit` may use a sample buffer.
    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        Self.stateLock.withLock { _ in body(&state) }
    }

    /// Creates a buffer with no timing, one timing for all samples, or one for each.
    convenience init(
        image: CVImageBuffer?, data: CMBlockBuffer?, format: CMFormatDescription?, count: Int,
        timings: [CMSampleTimingInfo], sizes: [Int], packets: [AudioStreamPacketDescription] = [],
        isReady: Bool = true, makeDataReady: MakeDataReadyHandler? = nil
    ) {
        self.init(
            image: image, data: data, format: format, count: count, timing: timings.first,
            laterTimings: Array(timings.dropFirst()), sizes: sizes, packets: packets, isReady: isReady,
            makeDataReady: makeDataReady)
    }

    /// The timing entries: none, one for all samples, or one for each, in decoding order.
    var timings: [CMSampleTimingInfo] { firstTiming.map { [$0] + laterTimings } ?? [] }
    /// Whether each of several samples has its own timing.
    var hasSeveralTimings: Bool { !laterTimings.isEmpty }

    /// Creates a buffer with one image.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` if the description has another size or pixel format.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        guard formatDescription.matches(imageBuffer) else {
            throw mediaError(
                kCMSampleBufferError_InvalidMediaFormat, "\(formatDescription) does not describe \(imageBuffer)")
        }
        self.init(imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming)
    }

    /// Creates a buffer with one image and a description that is known to match it.
    package convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
        attachments: CMAttachmentBearerAttachments = CMAttachmentBearerAttachments()
    ) {
        self.init(
            image: imageBuffer, data: nil, format: formatDescription, count: 1, timing: timing, sizes: [],
            attachments: attachments.entries)
    }

    /// Creates a buffer for a dropped frame: its times, without pixels.
    ///
    /// - Parameter reason: A `kCMSampleBufferDroppedFrameReason_…`, which is added as a propagating attachment.
    package convenience init(
        droppedFrame timing: CMSampleTimingInfo, formatDescription: CMFormatDescription?, reason: CFString
    ) {
        self.init(
            image: nil, data: nil, format: formatDescription, count: 1, timing: timing, sizes: [],
            attachments: [
                kCMSampleBufferAttachmentKey_DroppedFrameReason: Attachment(value: reason, propagates: true)
            ])
    }

    /// Creates a buffer with one compressed frame that can be decoded independently of other frames.
    package convenience init(
        compressedFrame data: CMBlockBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
        attachments: CMAttachmentBearerAttachments = CMAttachmentBearerAttachments()
    ) {
        self.init(
            image: nil, data: data, format: formatDescription, count: 1, timing: timing, sizes: [data.dataLength],
            attachments: attachments.entries)
    }

    /// Creates a buffer with uncompressed, interleaved audio.
    ///
    /// - Parameter timing: The presentation time of the first frame and the duration of one frame.
    package convenience init(
        pcm data: CMBlockBuffer, format: CMFormatDescription, frameCount: Int, timing: CMSampleTimingInfo
    ) {
        let bytesPerFrame = Int(format.audioStreamBasicDescription?.mBytesPerFrame ?? 0)
        self.init(
            image: nil, data: data, format: format, count: frameCount, timing: timing, sizes: [bytesPerFrame])
    }

    /// Creates a buffer with the bytes of samples.
    ///
    /// - Parameters:
    ///   - sampleTimings: None, one for all samples (the time of the first sample and the duration of each), or one for
    ///     each.
    ///   - sampleSizes: None, one for all samples, or one for each, in bytes.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` for other numbers of entries,
    ///   `kCMSampleBufferError_InvalidSampleData` if the sizes exceed the length of the data.
    public convenience init(
        dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
    ) throws {
        let status = CMSampleBuffer.check(
            numSamples, timings: sampleTimings, sizes: sampleSizes, byteCount: dataBuffer?.dataLength)
        guard status == noErr else {
            throw mediaError(
                status,
                "\(numSamples) samples with \(sampleTimings.count) times and \(sampleSizes.count) sizes "
                    + "in \(dataBuffer?.dataLength ?? 0) bytes")
        }
        self.init(
            image: nil, data: dataBuffer, format: formatDescription, count: numSamples, timings: sampleTimings,
            sizes: sampleSizes)
    }

    /// Creates a copy with other timing. The image or the bytes are shared, attachments are copied.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` if the number of entries is not 0, 1 or the number of
    ///   samples.
    public convenience init(copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]) throws {
        let status = CMSampleBuffer.check(original.numSamples, timings: timings, sizes: [], byteCount: nil)
        guard status == noErr else {
            throw mediaError(status, "\(timings.count) times for \(original.numSamples) samples")
        }
        self.init(copying: original, timings: timings)
    }

    /// Creates a copy.
    ///
    /// - Parameter timings: Timing entries, whose number must be valid; nil to copy the timing and the time of output.
    convenience init(copying original: CMSampleBuffer, timings: [CMSampleTimingInfo]? = nil) {
        let old = original.withState { $0 }
        self.init(
            image: original.imageBuffer, data: old.dataBuffer, format: original.formatDescription,
            count: original.numSamples, timings: timings ?? original.timings, sizes: original.sizes,
            packets: original.packets, isReady: !old.isWaitingForData, makeDataReady: old.makeDataReady)
        withState { state in
            state.attachments = old.attachments
            state.sampleAttachments = old.sampleAttachments
            state.failure = old.failure
            state.tracked = old.tracked
            state.outputPresentationTimeStamp = timings == nil ? old.outputPresentationTimeStamp : .invalid
        }
    }

    /// The bytes of the samples; nil if there are none, or if the buffer was invalidated.
    public var dataBuffer: CMBlockBuffer? { withState { $0.isValid ? $0.dataBuffer : nil } }

    /// Whether the buffer can be used: true until `invalidate`.
    public var isValid: Bool { withState { $0.isValid } }

    /// The attachments of the buffer; reading returns a copy, writing replaces all of them.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(withState { $0.attachments }) }
        set {
            // The old values are released here, outside the lock.
            let old = withState { state in
                let old = state.attachments
                state.attachments = newValue.entries
                return old
            }
            _ = old
        }
    }

    /// Checks the numbers of timing and size entries, and whether the sizes exceed the length of the data.
    ///
    /// - Parameter byteCount: The length of the data; nil to skip the check of the sizes.
    /// - Returns: `noErr` or a `kCMSampleBufferError_…`.
    static func check(_ count: Int, timings: [CMSampleTimingInfo], sizes: [Int], byteCount: Int?) -> OSStatus {
        guard count >= 0, [0, 1, count].contains(timings.count), [0, 1, count].contains(sizes.count),
            sizes.allSatisfy({ $0 >= 0 })
        else { return kCMSampleBufferError_InvalidEntryCount }
        guard let byteCount, count > 0 else { return noErr }
        let needed = total(of: sizes, count: count)
        return needed.map { $0 <= byteCount } ?? false ? noErr : kCMSampleBufferError_InvalidSampleData
    }

    /// Returns the size of all samples in bytes; nil if it exceeds an `Int`.
    ///
    /// - Parameters:
    ///   - sizes: None, one for all samples, or one for each.
    ///   - count: The number of samples.
    static func total(of sizes: [Int], count: Int) -> Int? {
        if sizes.count == 1 && count != 1 {
            let (sum, overflow) = sizes[0].multipliedReportingOverflow(by: count)
            return overflow ? nil : sum
        }
        var sum = 0
        for size in sizes {
            let (next, overflow) = sum.addingReportingOverflow(size)
            if overflow { return nil }
            sum = next
        }
        return sum
    }
}

extension CMFormatDescription {
    /// Whether the dimensions and the pixel format are equal to those of an image buffer.
    func matches(_ imageBuffer: CVImageBuffer) -> Bool {
        rawMediaSubType == imageBuffer.pixelFormat && Int(videoDimensions.width) == imageBuffer.width
            && Int(videoDimensions.height) == imageBuffer.height
    }
}

extension CMSampleBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMSampleBuffer, rhs: CMSampleBuffer) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMSampleBuffer: CustomStringConvertible {
    /// The number of samples, the time and the format as text.
    public var description: String {
        let format = formatDescription.map { " \($0)" } ?? ""
        return "<CMSampleBuffer \(numSamples) samples at \(presentationTimeStamp)\(format)>"
    }
}
