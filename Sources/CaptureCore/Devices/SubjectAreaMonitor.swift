import CaptureHAL
import MediaTypes
import PixelKernels
import Synchronization

/// Detects changes of the scene.
///
/// Five times per second, the monitor compares the mean brightness of the cells of a 16x9 grid with their brightness at
/// the start or at the last change. While it is disabled, frames acquire no lock.
/// - Important: Thread-safe; frames arrive on one thread at a time.
final class SubjectAreaMonitor: Sendable {
    private struct State {
        /// The mean brightness of each cell at the last change, 0 to 255; empty before the first frame.
        var reference: [Int] = []
        var nextTime = CMTime.zero
    }

    /// The minimum mean difference in brightness, on a scale of 0 to 255, that counts as a change.
    private static let threshold = 20
    private static let (columns, rows) = (16, 9)
    private static let interval = CMTime(value: 1, timescale: 5)

    private let enabled = Atomic(false)
    private let state = Lock(State())

    var isEnabled: Bool {
        get { enabled.load(ordering: .relaxed) }
        set {
            state.withLock { $0 = State() }
            enabled.store(newValue, ordering: .relaxed)
        }
    }

    /// Compares a frame and returns whether the scene has changed.
    func hasChanged(in frame: VideoFrame) -> Bool {
        guard isEnabled, case .pixels(let pixels) = frame.payload else { return false }
        let isDue = state.withLock { state in
            guard state.reference.isEmpty || frame.presentationTime >= state.nextTime else { return false }
            state.nextTime = frame.presentationTime + Self.interval
            return true
        }
        guard isDue, let cells = Self.cells(of: pixels) else { return false }
        return state.withLock { state in
            guard state.reference.count == cells.count else {
                state.reference = cells
                return false
            }
            let difference = zip(cells, state.reference).reduce(0) { $0 + abs($1.0 - $1.1) } / cells.count
            guard difference > Self.threshold else { return false }
            state.reference = cells
            return true
        }
    }

    /// Returns the mean brightness of each cell, row by row, from sixteen of its pixels; nil for small frames, and for
    /// formats without a luma or green byte.
    private static func cells(of pixels: CVPixelBuffer) -> [Int]? {
        // The position of the luma or green bytes: the offset of the first one in a row, and the bytes per pixel.
        let layout: (offset: Int, stride: Int)
        switch CVPixelBufferGetPixelFormatType(pixels) {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_OneComponent8:
            layout = (0, 1)
        // The upper byte of 16-bit samples.
        case let format where PixelLayout.tenBitPixelFormats.contains(format): layout = (1, 2)
        case kCVPixelFormatType_32BGRA: layout = (1, 4)
        case kCVPixelFormatType_422YpCbCr8: layout = (1, 2)
        case kCVPixelFormatType_422YpCbCr8_yuvs: layout = (0, 2)
        default: return nil
        }
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        guard width >= 4 * columns, height >= 4 * rows else { return nil }
        return pixels.withPlane(0) { plane in
            let bytes = UnsafeRawPointer(plane.baseAddress)
            return (0..<rows * columns).map { cell in
                var sum = 0
                for point in 0..<16 {
                    let x = (cell % columns * 4 + point % 4) * width / (4 * columns)
                    let y = (cell / columns * 4 + point / 4) * height / (4 * rows)
                    let offset = y * plane.bytesPerRow + x * layout.stride + layout.offset
                    sum += Int(bytes.load(fromByteOffset: offset, as: UInt8.self))
                }
                return sum / 16
            }
        }
    }
}

extension AVCaptureDevice {
    /// Whether `subjectAreaDidChangeNotification` is posted when the scene changes substantially; false by default.
    ///
    /// Setting it requires `lockForConfiguration()`; setting it to true starts a new comparison.
    public var isSubjectAreaChangeMonitoringEnabled: Bool {
        get {
            observedProperties.access()
            return subjectArea.isEnabled
        }
        set {
            guard checkLock(for: "setSubjectAreaChangeMonitoringEnabled:") else { return }
            subjectArea.isEnabled = newValue
            observedProperties.changed()
        }
    }

    /// Passes a frame to the monitors and to the pending settings; runs on the device's thread.
    func frameArrived(_ frame: VideoFrame) {
        settingCompletions.frameArrived(frame)
        updateAutomaticTorch(with: frame)
        guard subjectArea.hasChanged(in: frame) else { return }
        environment.notifications.post(.AVCaptureDeviceSubjectAreaDidChange) { [weak self] in self }
    }
}
