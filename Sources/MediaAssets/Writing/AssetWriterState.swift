import AssetTypes
import CaptureHAL
import Dispatch
import MediaTypes

/// The state of a writer and of its inputs.
///
/// Inputs without a real-time source are synchronized: an input is not ready while it is more than `window` ahead of
/// another. A real-time input waits only for the first sample of another input, since the configurations of all tracks
/// must be known before anything is written, and encoded samples stay in memory until then. No input waits for sparse
/// media, such as metadata.
struct AssetWriterState {
    /// The maximum time by which one input may be ahead of another, on the source's timeline.
    static let window = CMTime(value: 1, timescale: 1)
    /// The maximum time by which a real-time input may be ahead of another input without samples.
    static let firstSampleWindow = CMTime(value: 10, timescale: 1)
    /// The maximum number of appended buffers that wait for the encoder, per input.
    static let backlogLimit = 32

    /// A client's block that appends more media.
    struct Request {
        let queue: DispatchQueue
        let block: @Sendable () -> Void
        /// Whether the block is scheduled or running.
        var isScheduled = false
        /// Whether anything was appended since the block was last called.
        var hasAppended = false
        /// Whether the block appended nothing although the input was ready. It is called again after a buffer was
        /// processed or an input was finished.
        var isIdle = false
    }

    /// The state of one input.
    struct InputState {
        let isRealTime: Bool
        /// Whether other inputs wait for this one.
        let othersWait: Bool
        /// The virtual time to encode a sample.
        var encodingDuration = Duration.zero
        /// The virtual time at which the encoder is idle; invalid before the first sample.
        var encodingEnd = CMTime.invalid
        var isFinished = false
        /// The end of the appended media on the source's timeline; invalid before the first sample.
        var end = CMTime.invalid
        /// The number of buffers that wait for the encoder.
        var backlog = 0
        var request: Request?
    }

    /// The decision on an appended buffer.
    enum Admission {
        /// The buffer is written at its time minus the origin.
        case accept(origin: CMTime)
        /// Writing has ended.
        case reject
        case misuse(String)
    }

    private(set) var status = AVAssetWriter.Status.unknown
    private(set) var error: AVError?
    private(set) var inputs: [InputState] = []
    private(set) var sessionStart: CMTime?
    private(set) var sessionEnd: CMTime?
    /// Whether `finishWriting` was called.
    var isFinishing = false
    var completions: [@Sendable () -> Void] = []
    /// The status and the readiness of the inputs in the last change notifications.
    private var notifiedStatus = AVAssetWriter.Status.unknown
    private var notifiedReadiness: [Bool] = []

    mutating func start(_ inputs: [InputState]) {
        status = .writing
        self.inputs = inputs
    }

    mutating func startSession(at time: CMTime) { sessionStart = time }

    mutating func endSession(at time: CMTime) { sessionEnd = time }

    /// Ends writing and returns the completion handlers to call.
    mutating func end(_ status: AVAssetWriter.Status, _ error: AVError? = nil) -> [@Sendable () -> Void] {
        guard self.status == .writing || self.status == .unknown else { return [] }
        self.status = status
        self.error = error
        for index in inputs.indices { inputs[index].request = nil }
        defer { completions = [] }
        return completions
    }

    /// Whether the input at an index can accept a buffer.
    func isReady(_ index: Int) -> Bool {
        guard status == .writing, !isFinishing, sessionEnd == nil, inputs.indices.contains(index) else { return false }
        let input = inputs[index]
        guard !input.isFinished, input.backlog < Self.backlogLimit else { return false }
        return !isAhead(index)
    }

    /// Whether an input is too far ahead of another input.
    private func isAhead(_ index: Int) -> Bool {
        guard let start = sessionStart, inputs[index].end.isNumeric else { return false }
        let isRealTime = inputs[index].isRealTime
        for (other, input) in inputs.enumerated() where other != index && input.othersWait && !input.isFinished {
            if isRealTime, input.end.isNumeric { continue }
            let end = input.end.isNumeric ? input.end : start
            if inputs[index].end - end > (isRealTime ? Self.firstSampleWindow : Self.window) { return true }
        }
        return false
    }

    /// Decides on an appended buffer, and records it if it is accepted.
    ///
    /// - Parameter end: The end of the buffer on the source's timeline.
    mutating func admit(_ index: Int, end: CMTime) -> Admission {
        switch status {
        case .unknown: return .misuse("Cannot call method when status is 0")
        case .completed, .failed, .cancelled: return .reject
        case .writing: break
        }
        guard let origin = sessionStart else {
            return .misuse(
                "Cannot append sample buffer: Must start a session (using -[AVAssetWriter startSessionAtSourceTime:) first"
            )
        }
        guard sessionEnd == nil else {
            return .misuse("Cannot append sample buffer: the session has ended")
        }
        guard !isFinishing, !inputs[index].isFinished else {
            return .misuse("Cannot append sample buffer: the input is marked as finished")
        }
        guard isReady(index) else {
            return .misuse("A sample buffer cannot be appended when readyForMoreMediaData is NO.")
        }
        inputs[index].backlog += 1
        inputs[index].request?.hasAppended = true
        if end.isNumeric { inputs[index].end = inputs[index].end.isNumeric ? max(inputs[index].end, end) : end }
        return .accept(origin: origin)
    }

    /// Records that the encoder of an input starts to encode a sample as soon as it is idle.
    ///
    /// - Returns: The time at which the sample is encoded; nil if encoding takes no virtual time.
    mutating func encode(_ index: Int, at now: CMTime) -> CMTime? {
        guard inputs[index].encodingDuration > .zero else { return nil }
        let start = inputs[index].encodingEnd.isNumeric ? max(inputs[index].encodingEnd, now) : now
        inputs[index].encodingEnd = start + CMTime(nanoseconds: inputs[index].encodingDuration.nanoseconds)
        return inputs[index].encodingEnd
    }

    /// The virtual time at which all encoders are idle; invalid if none has encoded.
    var encodingEnd: CMTime { inputs.map(\.encodingEnd).filter(\.isNumeric).max() ?? .invalid }

    /// Records that a buffer has been processed.
    mutating func didProcess(_ index: Int) {
        inputs[index].backlog -= 1
        wakeIdle()
    }

    /// Marks an input as finished; false if it was finished before.
    mutating func finish(_ index: Int) -> Bool {
        guard !inputs[index].isFinished else { return false }
        inputs[index].isFinished = true
        inputs[index].request = nil
        wakeIdle()
        return true
    }

    mutating func setRequest(_ request: Request, of index: Int) { inputs[index].request = request }

    /// Returns the requests with blocks to be called now, and marks them as scheduled.
    mutating func dequeueRequests() -> [(index: Int, request: Request)] {
        var result: [(index: Int, request: Request)] = []
        for index in inputs.indices {
            guard let request = inputs[index].request, !request.isScheduled, !request.isIdle, isReady(index) else {
                continue
            }
            inputs[index].request?.isScheduled = true
            inputs[index].request?.hasAppended = false
            result.append((index, request))
        }
        return result
    }

    /// Records that a request's block has returned.
    mutating func requestDidReturn(_ index: Int) {
        guard let request = inputs[index].request else { return }
        let isIdle = !request.hasAppended && isReady(index)
        inputs[index].request?.isScheduled = false
        inputs[index].request?.isIdle = isIdle
    }

    /// Returns the changes since the last call: whether the status has changed, and the inputs with changed readiness.
    mutating func dequeueChanges() -> (status: Bool, inputs: [Int]) {
        let readiness = inputs.indices.map(isReady)
        let hasChanged = status != notifiedStatus
        let changed = inputs.indices.filter { index in
            readiness[index] != (index < notifiedReadiness.count ? notifiedReadiness[index] : false)
        }
        (notifiedStatus, notifiedReadiness) = (status, readiness)
        return (hasChanged, changed)
    }

    /// Makes idle requests eligible again after a change.
    private mutating func wakeIdle() {
        for index in inputs.indices { inputs[index].request?.isIdle = false }
    }
}
