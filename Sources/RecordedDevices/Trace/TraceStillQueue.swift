import CaptureHAL
import MediaTypes

/// The stills of a run of a recorded stream: those that the trace has reached, and those that the client requests.
///
/// Invariant: a still is delivered at most once.
struct TraceStillQueue {
    /// A still that the next frame delivers.
    struct Delivery {
        /// The `id` of the client's request.
        let requestID: UInt64
        /// The index of the event.
        let event: Int
        let still: TraceStill
    }

    private struct Request {
        let request: StillRequest
        /// The recorded request whose stills are delivered; nil if none was found yet.
        var recordedID: UInt64?
        var deliveredCount = 0
    }

    private var requests: [Request] = []
    /// The stills that the trace has reached and that were not delivered.
    private var reached: [(event: Int, frame: TraceStillFrame)] = []

    /// The requests whose stills are frames of the stream.
    private var streamRequests: [StillRequest] = []

    mutating func add(_ request: StillRequest) { requests.append(Request(request: request)) }

    mutating func add(_ frame: TraceStillFrame, at event: Int) { reached.append((event, frame)) }

    mutating func addFrameOfStream(_ request: StillRequest) { streamRequests.append(request) }

    /// Removes the first request whose still is the frame of the stream at a time, and returns its `id`; nil if there is
    /// none.
    mutating func takeRequest(ofFrameAt time: CMTime) -> UInt64? {
        guard let request = streamRequests.first else { return nil }
        if case .next(let notBefore) = request.timing, time < notBefore { return nil }
        return streamRequests.removeFirst().id
    }

    /// Removes and returns the stills that the next frame delivers, in the order of the requests.
    mutating func takeDeliveries() -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in requests.indices {
            let request = requests[index].request
            let taken = Set(requests.compactMap(\.recordedID))
            if requests[index].recordedID == nil {
                requests[index].recordedID =
                    reached.first { $0.frame.matches(request) && !taken.contains($0.frame.still.request) }?.frame.still
                    .request
            }
            guard let recorded = requests[index].recordedID else { continue }
            for (event, frame) in reached where frame.still.request == recorded {
                deliveries.append(Delivery(requestID: request.id, event: event, still: frame.still))
                requests[index].deliveredCount += 1
            }
            reached.removeAll { $0.frame.still.request == recorded }
        }
        requests.removeAll { $0.deliveredCount >= $0.request.exposures.count }
        return deliveries
    }
}

/// A recorded still without its bytes.
struct TraceStillFrame {
    let still: TraceStill
    /// Nil for a compressed still.
    let size: PixelSize?

    /// Whether a request can deliver the still. The trace does not contain the size of a compressed one.
    func matches(_ request: StillRequest) -> Bool {
        still.count == request.exposures.count && (size.map { $0 == request.size } ?? true)
    }
}

extension TraceEvent {
    /// The still of the event; nil for other events.
    var stillFrame: TraceStillFrame? {
        guard case .frame(_, let frame) = content, let still = frame.still else { return nil }
        guard case .pixels(_, let size) = frame.shape else { return TraceStillFrame(still: still, size: nil) }
        return TraceStillFrame(still: still, size: size.pixelSize)
    }
}
