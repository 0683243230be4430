import AVFoundation
import UIKit

/// Receives taps in the preview. Points are in the coordinates of the camera, from (0, 0) to (1, 1).
@MainActor
public protocol PreviewViewDelegate: AnyObject {
    /// Called for a tap.
    func previewView(_ view: PreviewView, didTapToFocusAt point: CGPoint)
    /// Called for a double tap.
    func previewView(_ view: PreviewView, didTapToExposeAt point: CGPoint)
    /// Called for a double tap with two fingers.
    func previewViewDidTapToReset(_ view: PreviewView)
}

/// Shows the video of a session's camera.
///
/// A tap focuses, a double tap exposes, and a double tap with two fingers resets both.
public final class PreviewView: UIView {
    public override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }

    public weak var delegate: (any PreviewViewDelegate)?

    /// Whether a tap focuses.
    public var isTapToFocusEnabled = true {
        didSet { focusTap.isEnabled = isTapToFocusEnabled }
    }

    /// Whether a double tap exposes.
    public var isTapToExposeEnabled = true {
        didSet { exposureTap.isEnabled = isTapToExposeEnabled }
    }

    private static let boxSize: CGFloat = 150

    private let focusBox = AdjustmentBox(color: UIColor(red: 0.102, green: 0.636, blue: 1, alpha: 1), size: boxSize)
    private let exposureBox = AdjustmentBox(color: UIColor(red: 1, green: 0.421, blue: 0.054, alpha: 1), size: boxSize)
    private let focusTap = UITapGestureRecognizer()
    private let exposureTap = UITapGestureRecognizer()
    private let resetTap = UITapGestureRecognizer()

    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        backgroundColor = .black
        isMultipleTouchEnabled = true
        previewLayer?.videoGravity = .resizeAspectFill
        exposureTap.numberOfTapsRequired = 2
        resetTap.numberOfTapsRequired = 2
        resetTap.numberOfTouchesRequired = 2
        // The first tap of a double tap must not focus.
        focusTap.require(toFail: exposureTap)
        focusTap.addHandler { [weak self] in self?.focus($0) }
        exposureTap.addHandler { [weak self] in self?.expose($0) }
        resetTap.addHandler { [weak self] _ in self?.reset() }
        for recognizer in [focusTap, exposureTap, resetTap] { addGestureRecognizer(recognizer) }
        for box in [focusBox, exposureBox] { addSubview(box) }
    }

    // MARK: Session

    /// The layer that shows the camera.
    public var previewLayer: AVCaptureVideoPreviewLayer? { layer as? AVCaptureVideoPreviewLayer }

    /// The session that the layer shows and retains.
    public var session: AVCaptureSession? {
        get { previewLayer?.session }
        set { previewLayer?.session = newValue }
    }

    /// Converts a point of the view to the coordinates of the camera, with any gravity, rotation and mirroring.
    public func captureDevicePoint(for point: CGPoint) -> CGPoint {
        previewLayer?.captureDevicePointConverted(fromLayerPoint: point) ?? .zero
    }

    // MARK: Taps

    private func focus(_ recognizer: UIGestureRecognizer) {
        let point = recognizer.location(in: self)
        focusBox.show(at: point, scale: 0.5)
        delegate?.previewView(self, didTapToFocusAt: captureDevicePoint(for: point))
    }

    private func expose(_ recognizer: UIGestureRecognizer) {
        let point = recognizer.location(in: self)
        exposureBox.show(at: point, scale: 0.5)
        delegate?.previewView(self, didTapToExposeAt: captureDevicePoint(for: point))
    }

    private func reset() {
        let center = previewLayer?.layerPointConverted(fromCaptureDevicePoint: CGPoint(x: 0.5, y: 0.5)) ?? .zero
        focusBox.show(at: center, scale: 0.5)
        exposureBox.show(at: center, scale: 0.7)
        delegate?.previewViewDidTapToReset(self)
    }
}
