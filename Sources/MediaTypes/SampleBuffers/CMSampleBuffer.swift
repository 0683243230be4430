/// Samples of one media type, or none: an image, bytes of compressed or uncompressed media, or only the timing of a
/// dropped frame.
///
/// Thread-safe. Format, times and sizes never change. The rest is behind a lock.
public final class CMSampleBuffer: @unchecked Sendable {
    // SAFETY: the stored constants are values or thread-safe objects; what changes is in `state`, behind `stateLock`.

    /// Called to provide the data; a result other than 0 fails `makeDataReady`.
    public typealias MakeDataReadyHandler = (CMSampleBuffer) -> OSStatus

    /// The properties that can change.
    struct State {
        var dataBuffer: CMBlockBuffer?
        /// Invariant: set if there is a handler that has not yet succeeded, or data is not available yet.
        var isWaitingForData = false
        var failure: OSStatus = 0
        var isValid = true
        var makeDataReady: MakeDataReadyHandler?
        /// The buffer that determines the readiness of this one.
        var tracked: CMSampleBuffer?
        /// `packets` for clients that read them by a pointer.
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
    /// The time of the first sample, or of all; nil if there are none.
    let firstTiming: CMSampleTimingInfo?
    /// The times of the other samples, in decoding order; empty if one is for all samples.
    let laterTimings: [CMSampleTimingInfo]
    /// None, one for all samples, or one for each, in bytes.
    let sizes: [Int]
    /// The positions of the packets of compressed audio if they differ in size; else none.
    let packets: [AudioStreamPacketDescription]
    /// Only used inside `withState`.
    private var state: State
    /// Protects the states of all sample buffers: they are accessed rarely and briefly, while a lock of its own would
    /// be a second allocation for each buffer.
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
    /// `body` must not destroy values of clients, such as attachments: their `deinit` may use another sample buffer.
    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        Self.stateLock.withLock { _ in body(&state) }
    }

    /// Creates a buffer with none, one, or one time for each sample.
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

    /// None, one for all samples, or one for each, in decoding order.
    var timings: [CMSampleTimingInfo] { firstTiming.map { [$0] + laterTimings } ?? [] }
    /// Whether each sample has its own time.
    var hasSeveralTimings: Bool { !laterTimings.isEmpty }

    /// Creates a buffer with one image.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` if the description has another size or pixel format.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        guard formatDescription.fits(imageBuffer) else {
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
    /// - Parameter reason: A `kCMSampleBufferDroppedFrameReason_…`, attached with propagation.
    package convenience init(
        droppedFrame timing: CMSampleTimingInfo, formatDescription: CMFormatDescription?, reason: CFString
    ) {
        self.init(
            image: nil, data: nil, format: formatDescription, count: 1, timing: timing, sizes: [],
            attachments: [
                kCMSampleBufferAttachmentKey_DroppedFrameReason: Attachment(value: reason, propagates: true)
            ])
    }

    /// Creates a buffer with one compressed frame that can be decoded by itself.
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
    /// - Parameter timing: The first frame's time and one frame's duration.
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
    ///   - sampleTimings: None, one for all samples (the first's time and one's duration), or one for each.
    ///   - sampleSizes: None, one for all samples, or one for each, in bytes.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` for other counts, `kCMSampleBufferError_InvalidSampleData`
    ///   if the sizes need more bytes than there are.
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

    /// Creates a copy with other times; payload and attachments are shared or copied.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` if there is neither none, one, nor one time for each sample.
    public convenience init(copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]) throws {
        let status = CMSampleBuffer.check(original.numSamples, timings: timings, sizes: [], byteCount: nil)
        guard status == noErr else {
            throw mediaError(status, "\(timings.count) times for \(original.numSamples) samples")
        }
        self.init(copying: original, timings: timings)
    }

    /// Creates a copy, optionally with other times that are known to be valid.
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

    /// The bytes of the samples; nil if there are none.
    public var dataBuffer: CMBlockBuffer? { withState { $0.isValid ? $0.dataBuffer : nil } }

    /// Whether the buffer can be used: true until `invalidate`.
    public var isValid: Bool { withState { $0.isValid } }

    /// The attachments of the buffer; reading returns a copy, writing replaces all of them.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(withState { $0.attachments }) }
        set {
            let old = withState { state in
                let old = state.attachments
                state.attachments = newValue.entries
                return old
            }
            _ = old
        }
    }

    /// Whether the counts of times and sizes fit the samples, and the sizes the bytes; a `CMSampleBufferError` if not.
    static func check(_ count: Int, timings: [CMSampleTimingInfo], sizes: [Int], byteCount: Int?) -> OSStatus {
        guard count >= 0, [0, 1, count].contains(timings.count), [0, 1, count].contains(sizes.count),
            sizes.allSatisfy({ $0 >= 0 })
        else { return kCMSampleBufferError_InvalidEntryCount }
        guard let byteCount, count > 0 else { return noErr }
        let needed = total(of: sizes, count: count)
        return needed.map { $0 <= byteCount } ?? false ? noErr : kCMSampleBufferError_InvalidSampleData
    }

    /// The sum of sizes; nil if it exceeds an `Int`.
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
    /// Whether size and pixel format are those of an image.
    func fits(_ imageBuffer: CVImageBuffer) -> Bool {
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
    /// A text with the number of samples, the time and the format.
    public var description: String {
        let format = formatDescription.map { " \($0)" } ?? ""
        return "<CMSampleBuffer \(numSamples) samples at \(presentationTimeStamp)\(format)>"
    }
}
