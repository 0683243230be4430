import Synchronization

/// Samples of one kind of media, or none: a picture, bytes of coded or raw media, or a dropped frame's times only.
///
/// Thread-safe. Format, times and sizes never change. The rest is behind one lock.
public final class CMSampleBuffer: @unchecked Sendable {
    // SAFETY: the stored constants are values or thread-safe objects; what changes is in `state`, a lock. The first who asks
    // for it makes it; all others see it whole, as the pointer is stored with release and read with acquire order.

    /// Called to make data ready; a result other than 0 fails `makeDataReady`.
    public typealias MakeDataReadyHandler = (CMSampleBuffer) -> OSStatus

    /// What can change.
    struct State {
        var dataBuffer: CMBlockBuffer?
        /// Invariant: set where there is a handler that has not yet succeeded, or data is still to come.
        var isWaitingForData = false
        var failure: OSStatus = 0
        var isValid = true
        var makeDataReady: MakeDataReadyHandler?
        var invalidate: ((CMSampleBuffer) -> Void)?
        var outputPresentationTimeStamp = CMTime.invalid
        var attachments: [String: Attachment] = [:]
        /// Empty, or one dictionary for every sample.
        var sampleAttachments: [[String: Any]] = []
    }

    /// The picture, if this is one.
    public var imageBuffer: CVImageBuffer? {
        if let known = madePicture.load(ordering: .acquiring) { return Self.picture(at: known) }
        return lent == nil ? nil : makePicture()
    }
    /// What the samples are.
    public var formatDescription: CMFormatDescription? { kind.formatDescription }
    /// How many samples there are; in linear PCM, frames.
    public let numSamples: CMItemCount
    /// The time of the first sample, or of all; nil where there are none.
    let firstTiming: CMSampleTimingInfo?
    /// What the buffer may have in common with others.
    private let kind: Kind
    /// None, one for all samples, or one for each, in bytes.
    var sizes: [Int] { kind.sizes }
    /// The places of the packets of compressed sound whose packets differ; else none.
    var packets: [AudioStreamPacketDescription] { kind.packets }
    /// A `Lock<State>` that this object owns, made when someone first asks; most frames go by without.
    private let madeState: Atomic<UnsafeRawPointer?>
    /// The memory of the picture, where it is made when someone first asks; a reference that this object owns.
    private let lent: Unmanaged<PixelMemory>?
    /// A `CVImageBuffer` that this object owns.
    private let madePicture: Atomic<UnsafeRawPointer?>

    /// All that can change, behind a lock.
    var state: Lock<State> {
        if let known = madeState.load(ordering: .acquiring) { return Self.state(at: known) }
        let new = Unmanaged.passRetained(Lock(State(attachments: kind.attachments)))
        let (isFirst, present) = madeState.compareExchange(
            expected: nil, desired: UnsafeRawPointer(new.toOpaque()), ordering: .acquiringAndReleasing)
        guard !isFirst, let present else { return new.takeUnretainedValue() }
        new.release()
        return Self.state(at: present)
    }

    private static func state(at address: UnsafeRawPointer) -> Lock<State> {
        Unmanaged<Lock<State>>.fromOpaque(address).takeUnretainedValue()
    }

    private static func picture(at address: UnsafeRawPointer) -> CVImageBuffer {
        Unmanaged<CVImageBuffer>.fromOpaque(address).takeUnretainedValue()
    }

    /// Held while a picture is made: a second one of the same memory would give it back when it goes.
    private static let making = Lock((), order: .primitive)

    /// Makes the picture, unless another thread has done so meanwhile.
    private func makePicture() -> CVImageBuffer? {
        Self.making.withLock { _ in
            if let known = madePicture.load(ordering: .acquiring) { return Self.picture(at: known) }
            guard let lent else { return nil }
            let picture = CVImageBuffer(lent.takeUnretainedValue())
            madePicture.store(
                UnsafeRawPointer(Unmanaged.passRetained(picture).toOpaque()), ordering: .releasing)
            return picture
        }
    }

    deinit {
        if let known = madePicture.load(ordering: .acquiring) {
            Unmanaged<CVImageBuffer>.fromOpaque(known).release()
        } else if let lent {
            // Nobody asked for the picture, which would have given the memory back when it went.
            lent._withUnsafeGuaranteedRef { $0.letGo() }
        }
        lent?.release()
        if let known = madeState.load(ordering: .acquiring) { Unmanaged<Lock<State>>.fromOpaque(known).release() }
    }

    init(
        image: CVImageBuffer?, data: CMBlockBuffer?, format: CMFormatDescription?, count: Int,
        timings: [CMSampleTimingInfo], sizes: [Int], packets: [AudioStreamPacketDescription] = [],
        isReady: Bool = true, makeDataReady: MakeDataReadyHandler? = nil
    ) {
        lent = nil
        madePicture = Atomic(image.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
        numSamples = count
        firstTiming = timings.first
        kind = Kind(
            formatDescription: format, laterTimings: Array(timings.dropFirst()), sizes: sizes, packets: packets)
        let state = Lock(State(dataBuffer: data, isWaitingForData: !isReady, makeDataReady: makeDataReady))
        madeState = Atomic(UnsafeRawPointer(Unmanaged.passRetained(state).toOpaque()))
    }

    /// Makes a buffer with one picture of a kind that is known to be its own.
    package init(picture: CVImageBuffer, kind: Kind, timing: CMSampleTimingInfo) {
        lent = nil
        madePicture = Atomic(UnsafeRawPointer(Unmanaged.passRetained(picture).toOpaque()))
        numSamples = 1
        firstTiming = timing
        self.kind = kind
        madeState = Atomic(nil)
    }

    /// Makes a buffer with one picture in lent memory, of a kind that is known to be its own.
    ///
    /// The picture is made when someone asks for it. The memory is given back when both have gone.
    package init(lent memory: LentMemory, kind: Kind, timing: CMSampleTimingInfo) {
        lent = Unmanaged.passRetained(memory.memory)
        madePicture = Atomic(nil)
        numSamples = 1
        firstTiming = timing
        self.kind = kind
        madeState = Atomic(nil)
    }

    /// None, one for all samples, or one for each, in the order in which they are decoded.
    var timings: [CMSampleTimingInfo] { firstTiming.map { [$0] + kind.laterTimings } ?? [] }
    /// Whether samples have times of their own.
    var hasSeveralTimings: Bool { !kind.laterTimings.isEmpty }

    /// Makes a buffer with one picture.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` where the description is of another size or pixel format.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        guard formatDescription.fits(imageBuffer) else {
            throw mediaError(
                kCMSampleBufferError_InvalidMediaFormat, "\(formatDescription) does not describe \(imageBuffer)")
        }
        self.init(imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming)
    }

    /// Makes a buffer with one picture whose description is known to be right.
    package convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
        attachments: CMAttachmentBearerAttachments = CMAttachmentBearerAttachments()
    ) {
        self.init(
            picture: imageBuffer, kind: Kind(formatDescription: formatDescription, attachments: attachments),
            timing: timing)
    }

    /// Makes a buffer for a frame that was dropped: its times, and no pixels.
    ///
    /// - Parameter reason: A `kCMSampleBufferDroppedFrameReason_…`, attached and passed on.
    package convenience init(
        droppedFrame timing: CMSampleTimingInfo, formatDescription: CMFormatDescription?, reason: CFString
    ) {
        self.init(image: nil, data: nil, format: formatDescription, count: 1, timings: [timing], sizes: [])
        state.withLock {
            $0.attachments[kCMSampleBufferAttachmentKey_DroppedFrameReason] = Attachment(
                value: reason, propagates: true)
        }
    }

    /// Makes a buffer with one compressed frame that needs no others.
    package convenience init(
        compressedFrame data: CMBlockBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
        attachments: CMAttachmentBearerAttachments = CMAttachmentBearerAttachments()
    ) {
        self.init(
            image: nil, data: data, format: formatDescription, count: 1, timings: [timing], sizes: [data.dataLength])
        state.withLock { $0.attachments = attachments.entries }
    }

    /// Makes a buffer with uncompressed sound, interleaved.
    ///
    /// - Parameter timing: The first frame's time and one frame's duration.
    package convenience init(
        pcm data: CMBlockBuffer, format: CMFormatDescription, frameCount: Int, timing: CMSampleTimingInfo
    ) {
        let bytesPerFrame = Int(format.audioStreamBasicDescription?.mBytesPerFrame ?? 0)
        self.init(
            image: nil, data: data, format: format, count: frameCount, timings: [timing], sizes: [bytesPerFrame])
    }

    /// Makes a buffer with bytes of samples.
    ///
    /// - Parameters:
    ///   - sampleTimings: None, one for all samples (the first's time and one's duration), or one for each.
    ///   - sampleSizes: None, one for all samples, or one for each, in bytes.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` for other counts, `kCMSampleBufferError_InvalidSampleData`
    ///   where the sizes need more bytes than there are.
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

    /// Makes a copy with other times; payload and attachments are shared or copied.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount` where there is neither none, one, nor one time a sample.
    public convenience init(copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]) throws {
        let status = CMSampleBuffer.check(original.numSamples, timings: timings, sizes: [], byteCount: nil)
        guard status == noErr else {
            throw mediaError(status, "\(timings.count) times for \(original.numSamples) samples")
        }
        self.init(copying: original, timings: timings)
    }

    /// Makes a copy, with other times where some are given that are known to fit.
    convenience init(copying original: CMSampleBuffer, timings: [CMSampleTimingInfo]? = nil) {
        let old = original.state.withLock { $0 }
        self.init(
            image: original.imageBuffer, data: old.dataBuffer, format: original.formatDescription,
            count: original.numSamples, timings: timings ?? original.timings, sizes: original.sizes,
            packets: original.packets, isReady: !old.isWaitingForData, makeDataReady: old.makeDataReady)
        state.withLock { state in
            state.attachments = old.attachments
            state.sampleAttachments = old.sampleAttachments
            state.failure = old.failure
            state.outputPresentationTimeStamp = timings == nil ? old.outputPresentationTimeStamp : .invalid
        }
    }

    /// The bytes of the samples, where there are any.
    public var dataBuffer: CMBlockBuffer? { state.withLock { $0.isValid ? $0.dataBuffer : nil } }

    /// Whether the buffer can be used: true until `invalidate`.
    public var isValid: Bool { state.withLock { $0.isValid } }

    /// The attachments of the buffer; reading gives a copy, writing replaces them all.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(state.withLock { $0.attachments }) }
        set {
            let old = state.withLock { state in
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

    /// The sum of sizes; nil where it is past an `Int`.
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
    /// Whether size and pixel format are those of a picture.
    func fits(_ imageBuffer: CVImageBuffer) -> Bool {
        rawMediaSubType == imageBuffer.pixelFormat && Int(videoDimensions.width) == imageBuffer.width
            && Int(videoDimensions.height) == imageBuffer.height
    }
}

extension CMSampleBuffer {
    /// All that buffers of one stream have in common, made once for them.
    package final class Kind: Sendable {
        package let formatDescription: CMFormatDescription?
        /// That of the description: asked for each frame, of which no reference need be counted.
        private let descriptionID: ObjectIdentifier?
        /// The times of the samples but the first, where each has its own.
        let laterTimings: [CMSampleTimingInfo]
        let sizes: [Int]
        let packets: [AudioStreamPacketDescription]
        /// What the state begins with, where nobody has asked for it.
        let attachments: [String: Attachment]

        init(
            formatDescription: CMFormatDescription?, laterTimings: [CMSampleTimingInfo], sizes: [Int],
            packets: [AudioStreamPacketDescription]
        ) {
            self.formatDescription = formatDescription
            descriptionID = formatDescription.map { ObjectIdentifier($0) }
            self.laterTimings = laterTimings
            self.sizes = sizes
            self.packets = packets
            attachments = [:]
        }

        /// What pictures of one format have in common.
        package init(formatDescription: CMFormatDescription, attachments: CMAttachmentBearerAttachments) {
            self.formatDescription = formatDescription
            descriptionID = ObjectIdentifier(formatDescription)
            laterTimings = []
            sizes = []
            packets = []
            self.attachments = attachments.entries
        }

        /// Whether a picture is of this kind, as far as that is known without making its description.
        package func describes(_ picture: CVImageBuffer) -> Bool {
            if let descriptionID { picture.memory.isDescribed(by: descriptionID) } else { false }
        }

        /// Whether pictures in lent memory are of this kind, as far as that is known.
        package func describes(_ lent: LentMemory) -> Bool {
            if let descriptionID { lent.memory.isDescribed(by: descriptionID) } else { false }
        }
    }
}

extension CMSampleBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMSampleBuffer, rhs: CMSampleBuffer) -> Bool { lhs === rhs }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMSampleBuffer: CustomStringConvertible {
    /// Count, time and format as text.
    public var description: String {
        let format = formatDescription.map { " \($0)" } ?? ""
        return "<CMSampleBuffer \(numSamples) samples at \(presentationTimeStamp)\(format)>"
    }
}
