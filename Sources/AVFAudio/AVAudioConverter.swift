public import Foundation
import MediaCodecs
import MediaTypes

public enum AVAudioConverterInputStatus: Int, Hashable, Sendable {
    case haveData = 0
    case noDataNow = 1
    case endOfStream = 2
}

public enum AVAudioConverterOutputStatus: Int, Hashable, Sendable {
    case haveData = 0
    case inputRanDry = 1
    case endOfStream = 2
    case error = 3
}

public enum AVAudioConverterPrimeMethod: Int, Hashable, Sendable {
    case pre = 0
    case normal = 1
    case none = 2
}

/// Supplies the input of a conversion: returns a buffer and sets the status.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// Converts PCM audio to another sample type, sample rate or number of channels.
///
/// - Note: Unlike Apple, compressed formats are not supported; writers and readers encode and decode.
/// - Important: Confined to one thread at a time.
public final class AVAudioConverter: NSObject {
    public let inputFormat: AVAudioFormat
    public let outputFormat: AVAudioFormat
    /// For each output channel the index of the input channel, or -1 for silence. By default a single input channel is
    /// copied to all output channels.
    public var channelMap: [NSNumber]
    /// Whether channels are mixed, instead of selected by `channelMap`, if the output has fewer channels.
    public var downmix = false { didSet { if downmix != oldValue { resampler = nil } } }
    /// Has no effect. This also applies to the cookie, the quality, the algorithm and the prime method.
    public var dither = false
    public var magicCookie: Data?
    /// A raw value of `AVAudioQuality`; `medium` by default.
    public var sampleRateConverterQuality = 64
    public var sampleRateConverterAlgorithm: String?
    public var primeMethod = AVAudioConverterPrimeMethod.normal

    private var resampler: AudioResampler?
    /// Interleaved output that has not been delivered.
    private var pending: [UInt8] = []
    private var hasEnded = false

    /// Creates a converter; nil unless both formats are PCM in native byte order.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        guard fromFormat.commonFormat != .otherFormat, toFormat.commonFormat != .otherFormat,
            fromFormat.sampleRate >= 1, toFormat.sampleRate >= 1, fromFormat.channelCount > 0, toFormat.channelCount > 0
        else { return nil }
        inputFormat = fromFormat
        outputFormat = toFormat
        let inputs = Int(fromFormat.channelCount)
        channelMap = (0..<Int(toFormat.channelCount)).map {
            NSNumber(value: inputs == 1 ? 0 : $0 < inputs ? $0 : -1)
        }
        super.init()
        // If the resampler does not support the formats, the initializer fails without a reason, like Apple's.
        guard (try? prepared()) != nil else { return nil }
    }

    /// Discards buffered samples, so that another stream can be converted.
    public func reset() {
        resampler?.reset()
        pending = []
        hasEnded = false
    }

    /// Converts a buffer without a change of the sample rate.
    ///
    /// - Throws: An error of `NSOSStatusErrorDomain` if the sample rates differ, the formats are not those of the
    ///   converter, or the output is too small.
    public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        guard inputFormat.sampleRate == outputFormat.sampleRate, inputBuffer.format == inputFormat,
            outputBuffer.format == outputFormat, outputBuffer.frameCapacity >= inputBuffer.frameLength
        else { throw Self.error }
        let bytes = try prepared().convert(interleaved(inputBuffer), frameCount: Int(inputBuffer.frameLength))
        store(bytes, in: outputBuffer)
    }

    /// Fills the output, and requests input until it is full.
    ///
    /// - Returns: `inputRanDry` if the block has no data now, `endOfStream` if nothing remains after the end of the
    ///   input. The output has the frames that are available.
    public func convert(
        to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
        withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        guard let output = outputBuffer as? AVAudioPCMBuffer, output.format == outputFormat else {
            outError?.pointee = Self.error
            return .error
        }
        do {
            return try fill(output, from: inputBlock)
        } catch {
            outError?.pointee = Self.error
            output.frameLength = 0
            return .error
        }
    }

    private func fill(
        _ output: AVAudioPCMBuffer, from inputBlock: AVAudioConverterInputBlock
    ) throws -> AVAudioConverterOutputStatus {
        let resampler = try prepared()
        let capacity = Int(output.frameCapacity) * outputBytesPerFrame
        var isDry = false
        while pending.count < capacity, !hasEnded, !isDry {
            let missing = Double((capacity - pending.count) / outputBytesPerFrame)
            let wanted = (missing * inputFormat.sampleRate / outputFormat.sampleRate).rounded(.up)
            var status = AVAudioConverterInputStatus.noDataNow
            let buffer = inputBlock(AVAudioPacketCount(wanted), &status)
            switch status {
            case .haveData:
                guard let input = buffer as? AVAudioPCMBuffer, input.format == inputFormat else { throw Self.error }
                if input.frameLength == 0 { isDry = true }
                pending += try resampler.convert(interleaved(input), frameCount: Int(input.frameLength))
            case .noDataNow: isDry = true
            case .endOfStream:
                pending += try resampler.finish()
                hasEnded = true
            }
        }
        let count = min(capacity, pending.count)
        store(Array(pending.prefix(count)), in: output)
        pending.removeFirst(count)
        if hasEnded { return count > 0 ? .haveData : .endOfStream }
        return isDry ? .inputRanDry : .haveData
    }

    /// `kAudio_ParamError`.
    private static var error: NSError { NSError(domain: "NSOSStatusErrorDomain", code: -50) }

    // MARK: Samples

    private var isMixing: Bool { downmix && outputFormat.channelCount < inputFormat.channelCount }

    /// Returns the resampler, and creates it if necessary.
    private func prepared() throws -> AudioResampler {
        guard isMixing || channelMap.count == Int(outputFormat.channelCount) else { throw Self.error }
        if let resampler { return resampler }
        func format(_ format: AVAudioFormat, channels: AVAudioChannelCount) -> AudioStreamFormat {
            AudioStreamFormat(
                sampleRate: format.sampleRate, channelCount: Int(channels), sample: Self.sample(format.commonFormat))
        }
        let new = try AudioResampler(
            from: format(inputFormat, channels: isMixing ? inputFormat.channelCount : outputFormat.channelCount),
            to: format(outputFormat, channels: outputFormat.channelCount), path: "AVAudioConverter")
        resampler = new
        return new
    }

    /// Returns the type in which samples of a format are resampled.
    private static func sample(_ format: AVAudioCommonFormat) -> AudioStreamFormat.Sample {
        switch format {
        case .pcmFormatInt16: .int16
        case .pcmFormatInt32: .int32
        case .pcmFormatFloat32, .pcmFormatFloat64, .otherFormat: .float32
        }
    }

    private var outputBytesPerFrame: Int {
        Int(outputFormat.channelCount) * Self.sample(outputFormat.commonFormat).byteCount
    }

    /// Returns the frames of a buffer, interleaved, with the channels of the resampler's input.
    private func interleaved(_ buffer: AVAudioPCMBuffer) -> [UInt8] {
        let map = isMixing ? Array(0..<Int(inputFormat.channelCount)) : channelMap.map(\.intValue)
        return switch buffer.format.commonFormat {
        case .pcmFormatInt16: interleaved(buffer, map) { (sample: Int16) in sample }
        case .pcmFormatInt32: interleaved(buffer, map) { (sample: Int32) in sample }
        case .pcmFormatFloat64: interleaved(buffer, map) { (sample: Double) in Float(sample) }
        case .pcmFormatFloat32, .otherFormat: interleaved(buffer, map) { (sample: Float) in sample }
        }
    }

    private func interleaved<Source, Target: Numeric>(
        _ buffer: AVAudioPCMBuffer, _ map: [Int], _ convert: (Source) -> Target
    ) -> [UInt8] {
        let (frames, stride) = (Int(buffer.frameLength), buffer.stride)
        var result = [Target](repeating: 0, count: frames * map.count)
        for (channel, source) in map.enumerated() where source >= 0 && source < Int(buffer.format.channelCount) {
            let samples = buffer.samples(of: source).assumingMemoryBound(to: Source.self)
            for frame in 0..<frames { result[frame * map.count + channel] = convert(samples[frame * stride]) }
        }
        return result.withUnsafeBytes { Array($0) }
    }

    /// Writes interleaved frames to the beginning of a buffer.
    private func store(_ bytes: [UInt8], in buffer: AVAudioPCMBuffer) {
        buffer.frameLength = AVAudioFrameCount(bytes.count / outputBytesPerFrame)
        switch buffer.format.commonFormat {
        case .pcmFormatInt16: store(bytes, in: buffer) { (sample: Int16) in sample }
        case .pcmFormatInt32: store(bytes, in: buffer) { (sample: Int32) in sample }
        case .pcmFormatFloat64: store(bytes, in: buffer) { (sample: Float) in Double(sample) }
        case .pcmFormatFloat32, .otherFormat: store(bytes, in: buffer) { (sample: Float) in sample }
        }
    }

    private func store<Source, Target>(
        _ bytes: [UInt8], in buffer: AVAudioPCMBuffer, _ convert: (Source) -> Target
    ) {
        let (frames, channels, stride) = (Int(buffer.frameLength), Int(buffer.format.channelCount), buffer.stride)
        bytes.withUnsafeBytes { bytes in
            for channel in 0..<channels {
                let samples = buffer.samples(of: channel).assumingMemoryBound(to: Target.self)
                for frame in 0..<frames {
                    let offset = (frame * channels + channel) * MemoryLayout<Source>.size
                    samples[frame * stride] = convert(bytes.loadUnaligned(fromByteOffset: offset, as: Source.self))
                }
            }
        }
    }
}
