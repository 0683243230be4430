import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaTypes

/// Receives changes of the synchronization of a timecode generator, on the queue passed to `setDelegate(_:queue:)`.
public protocol AVCaptureTimecodeGeneratorDelegate: AnyObject {
    /// A timecode was received from an external source; not called, since no backend has such sources.
    func timecodeGenerator(
        _ generator: AVCaptureTimecodeGenerator, didReceiveUpdate timecode: AVCaptureTimecode,
        from source: AVCaptureTimecode.Source)
    /// The synchronization with a source has changed.
    func timecodeGenerator(
        _ generator: AVCaptureTimecodeGenerator,
        transitionedTo synchronizationStatus: AVCaptureTimecodeGenerator.SynchronizationStatus,
        for source: AVCaptureTimecode.Source)
    /// Sources were connected or disconnected; not called, since no backend has external sources.
    func timecodeGenerator(
        _ generator: AVCaptureTimecodeGenerator, didUpdateAvailableSources availableSources: [AVCaptureTimecode.Source])
}

/// Generates the timecode with which a sequence of frames begins: 0 for counted frames, or the time of day.
///
/// - Important: Thread-safe.
public final class AVCaptureTimecodeGenerator: NSObject, KeyValueObserving, Sendable {
    /// The progress of the synchronization with a source.
    public enum SynchronizationStatus: Int, Sendable, Hashable {
        case unknown = 0
        case sourceSelected = 1
        case synchronizing = 2
        case synchronized = 3
        case timedOut = 4
        case sourceUnavailable = 5
        case sourceUnsupported = 6
        case notRequired = 7
    }

    private struct State: Sendable {
        var source = AVCaptureTimecodeGenerator.frameCountSource
        var target: CallbackTarget<any AVCaptureTimecodeGeneratorDelegate>?
        var timeout: TimeInterval = 15
        var offset: TimeInterval = 0
        var frameDuration = CMTime(value: 1, timescale: 30)
    }

    private static let frameCount = AVCaptureTimecode.Source(
        .frameCount, displayName: "Frame Count", uuid: UUID(number: 1))
    private static let realTimeClock = AVCaptureTimecode.Source(
        .realTimeClock, displayName: "Real-Time Clock", uuid: UUID(number: 2))

    /// The source of timecodes that begin at 0.
    public class var frameCountSource: AVCaptureTimecode.Source { frameCount }

    /// The source of timecodes that are the time of day (UTC).
    public class var realTimeClockSource: AVCaptureTimecode.Source { realTimeClock }

    private let system: CaptureSystem
    public let observedProperties: ObservedProperties
    private let state = Lock(State())

    /// Creates a generator that counts frames.
    public override init() {
        system = .current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init()
    }

    /// The two sources of this class; no backend has external sources.
    public var availableSources: [AVCaptureTimecode.Source] {
        observedProperties.access()
        return [Self.frameCountSource, Self.realTimeClockSource]
    }

    public var currentSource: AVCaptureTimecode.Source {
        observedProperties.access()
        return state.withLock { $0.source }
    }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setDelegate(
        _ delegate: (any AVCaptureTimecodeGeneratorDelegate)?, queue callbackQueue: DispatchQueue?
    ) {
        guard system.misuse.checkQueue(callbackQueue, of: delegate, "AVCaptureTimecodeGenerator setDelegate:queue:")
        else { return }
        system.reference.lifetimes.add(delegate, "the delegate")
        let target = delegate.map { delegate in
            CallbackTarget<any AVCaptureTimecodeGeneratorDelegate>(queue: callbackQueue) { [weak delegate] in delegate }
        }
        state.withLock { $0.target = target }
        observedProperties.changed(["delegate", "delegateCallbackQueue"])
    }

    /// The delegate; not retained.
    public var delegate: (any AVCaptureTimecodeGeneratorDelegate)? {
        observedProperties.access()
        return state.withLock { $0.target }?.delegate
    }

    public var delegateCallbackQueue: DispatchQueue? {
        observedProperties.access()
        return state.withLock { $0.target }?.queue
    }

    /// The time in seconds in which an external source must become synchronized; 15 by default.
    public var synchronizationTimeout: TimeInterval {
        get { observedProperties.value(\.timeout, in: state) }
        set { observedProperties.set(\.timeout, in: state, to: newValue) }
    }

    /// Seconds that are added to the time of day; 0 by default.
    public var timecodeAlignmentOffset: TimeInterval {
        get { observedProperties.value(\.offset, in: state) }
        set { observedProperties.set(\.offset, in: state, to: newValue) }
    }

    /// The frame duration of the timecodes; 1/30 s by default.
    public var timecodeFrameDuration: CMTime {
        get { observedProperties.value(\.frameDuration, in: state) }
        set { observedProperties.set(\.frameDuration, in: state, to: newValue) }
    }

    /// Selects a source. Counted frames need no synchronization; the real-time clock is synchronized immediately.
    public func startSynchronization(source: AVCaptureTimecode.Source) {
        let isAvailable = availableSources.contains(source)
        if isAvailable { state.withLock { $0.source = source } }
        observedProperties.changed(["currentSource"])
        let statuses: [SynchronizationStatus] =
            switch source.type {
            case .frameCount: [.sourceSelected, .notRequired]
            case .realTimeClock: [.sourceSelected, .synchronizing, .synchronized]
            case .external: [.sourceUnavailable]
            }
        guard let target = state.withLock({ $0.target }), let queue = target.queue else { return }
        system.deliver(on: queue) { [weak self] in
            guard let self else { return }
            for status in statuses {
                target.delegate?.timecodeGenerator(self, transitionedTo: status, for: source)
            }
        }
    }

    /// Returns the timecode for a sequence that begins now.
    public func generateInitialTimecode() -> AVCaptureTimecode {
        let (source, offset, duration) = state.withLock { ($0.source, $0.offset, $0.frameDuration) }
        var timecode = AVCaptureTimecode()
        timecode.sourceType = source.type
        timecode.frameDuration = duration
        guard source.type == .realTimeClock, duration.isNumeric, duration.seconds > 0 else { return timecode }
        let seconds = system.clock.date(at: system.clock.now).timeIntervalSince1970 + offset
        // In integer microseconds: a fraction of a second times the rate can be just below an integer number of frames.
        let microseconds = Int64((seconds * 1_000_000).rounded()) % (86400 * 1_000_000)
        let rate = Int64((1 / duration.seconds).rounded(.up))
        return AVCaptureTimecode.advanced(timecode, by: microseconds * rate / 1_000_000)
    }
}

extension UUID {
    /// The identifier of a source that every process has.
    fileprivate init(number: UInt8) {
        self.init(uuid: (0x4F, 0x62, 0x73, 0x63, 0x75, 0x72, 0x40, 0x61, 0x80, 0, 0, 0, 0, 0, 0, number))
    }
}
