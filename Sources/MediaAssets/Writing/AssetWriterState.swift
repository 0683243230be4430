import Dispatch
import MediaTypes

/// Where a writer is, and which of its inputs may be given more.
///
/// Inputs that are not filled in real time are kept together: one is not ready while it is more than `window` ahead of
/// another one. Inputs in real time wait for nobody, save for the first sample of another: a file's tracks must be known
/// before anything is written, and what is coded until then stays in memory. Inputs of sparse media, as metadata, hold
/// nobody up.
struct AssetWriterState {
    /// How far one input may be ahead of another, on the source's timeline.
    static let window = CMTime(value: 1, timescale: 1)
    /// How far an input in real time may be ahead of another one that has had nothing yet.
    static let firstSampleWindow = CMTime(value: 10, timescale: 1)
    /// How many appended buffers may wait for the worker, for each input.
    static let backlogLimit = 32

    /// A client's wish to be asked for more.
    struct Request {
        let queue: DispatchQueue
        let block: @Sendable () -> Void
        /// Whether the block is on its way or runs.
        var isAsking = false
        /// Whether anything was appended since the block was called.
        var hasAppended = false
        /// Whether the block appended nothing though it could have: it waits until something changes.
        var isIdle = false
    }

    struct Flow {
        let isRealTime: Bool
        /// Whether other inputs wait for this one.
        let holdsOthers: Bool
        var isFinished = false
        /// The end of what was appended, on the source's timeline; invalid before the first sample.
        var end = CMTime.invalid
        /// Buffers that wait for the worker.
        var backlog = 0
        var request: Request?
    }

    /// What becomes of a buffer.
    enum Admission {
        /// It goes into the file, at its time less the origin.
        case accept(origin: CMTime)
        /// The writing is over.
        case refuse
        case misuse(String)
    }

    private(set) var status = AVAssetWriter.Status.unknown
    private(set) var error: AVError?
    private(set) var flows: [Flow] = []
    private(set) var sessionStart: CMTime?
    private(set) var sessionEnd: CMTime?
    /// Whether `finishWriting` was called.
    var isFinishing = false
    var completions: [@Sendable () -> Void] = []
    /// What observers were told last.
    private var toldStatus = AVAssetWriter.Status.unknown
    private var toldReadiness: [Bool] = []

    mutating func start(_ flows: [Flow]) {
        status = .writing
        self.flows = flows
    }

    mutating func startSession(at time: CMTime) { sessionStart = time }

    mutating func endSession(at time: CMTime) { sessionEnd = time }

    /// Ends the writing; gives who is to be told.
    mutating func end(_ status: AVAssetWriter.Status, _ error: AVError? = nil) -> [@Sendable () -> Void] {
        guard self.status == .writing || self.status == .unknown else { return [] }
        self.status = status
        self.error = error
        for index in flows.indices { flows[index].request = nil }
        defer { completions = [] }
        return completions
    }

    func isReady(_ index: Int) -> Bool {
        guard status == .writing, !isFinishing, sessionEnd == nil, flows.indices.contains(index) else { return false }
        let flow = flows[index]
        guard !flow.isFinished, flow.backlog < Self.backlogLimit else { return false }
        return !isAhead(index)
    }

    private func isAhead(_ index: Int) -> Bool {
        guard let start = sessionStart, flows[index].end.isNumeric else { return false }
        let isRealTime = flows[index].isRealTime
        for (other, flow) in flows.enumerated() where other != index && flow.holdsOthers && !flow.isFinished {
            if isRealTime, flow.end.isNumeric { continue }
            let end = flow.end.isNumeric ? flow.end : start
            if flows[index].end - end > (isRealTime ? Self.firstSampleWindow : Self.window) { return true }
        }
        return false
    }

    /// Decides on a buffer that a client appends, and notes it.
    mutating func admit(_ index: Int, end: CMTime) -> Admission {
        switch status {
        case .unknown: return .misuse("Cannot call method when status is 0")
        case .completed, .failed, .cancelled: return .refuse
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
        guard !isFinishing, !flows[index].isFinished else {
            return .misuse("Cannot append sample buffer: the input is marked as finished")
        }
        guard isReady(index) else {
            return .misuse("A sample buffer cannot be appended when readyForMoreMediaData is NO.")
        }
        flows[index].backlog += 1
        flows[index].request?.hasAppended = true
        if end.isNumeric { flows[index].end = flows[index].end.isNumeric ? max(flows[index].end, end) : end }
        return .accept(origin: origin)
    }

    /// Notes that the worker has taken a buffer.
    mutating func didTake(_ index: Int) {
        flows[index].backlog -= 1
        wakeIdle()
    }

    /// Marks an input as finished; false where it was so before.
    mutating func finish(_ index: Int) -> Bool {
        guard !flows[index].isFinished else { return false }
        flows[index].isFinished = true
        flows[index].request = nil
        wakeIdle()
        return true
    }

    mutating func setRequest(_ request: Request, of index: Int) { flows[index].request = request }

    /// The clients to be asked now; each counts as asked.
    mutating func takeRequests() -> [(index: Int, request: Request)] {
        var result: [(index: Int, request: Request)] = []
        for index in flows.indices {
            guard let request = flows[index].request, !request.isAsking, !request.isIdle, isReady(index) else {
                continue
            }
            flows[index].request?.isAsking = true
            flows[index].request?.hasAppended = false
            result.append((index, request))
        }
        return result
    }

    /// Notes that a client's block has returned.
    mutating func didAsk(_ index: Int) {
        guard let request = flows[index].request else { return }
        let isIdle = !request.hasAppended && isReady(index)
        flows[index].request?.isAsking = false
        flows[index].request?.isIdle = isIdle
    }

    /// What has changed since the last call: whether the status has, and the inputs whose readiness has.
    mutating func takeChanges() -> (status: Bool, inputs: [Int]) {
        let readiness = flows.indices.map(isReady)
        let hasChanged = status != toldStatus
        let inputs = flows.indices.filter { index in
            readiness[index] != (index < toldReadiness.count ? toldReadiness[index] : false)
        }
        (toldStatus, toldReadiness) = (status, readiness)
        return (hasChanged, inputs)
    }

    /// Something has changed: who gave nothing may have more now.
    private mutating func wakeIdle() {
        for index in flows.indices { flows[index].request?.isIdle = false }
    }
}
