import UIKit

/// A white ring around a disc: white for photos, red for movies. During a recording, the disc is a square.
public final class ShutterButton: UIButton {
    /// The kind of media that a tap captures.
    public var mode = CameraMode.video {
        didSet { setNeedsDisplay() }
    }

    public override func draw(_ rect: CGRect) {
        let width: CGFloat = 5
        let ring = UIBezierPath(ovalIn: bounds.insetBy(dx: width / 2 + 1, dy: width / 2 + 1))
        ring.lineWidth = width
        UIColor.white.setStroke()
        ring.stroke()
        let color: UIColor = mode == .video ? .systemRed : .white
        color.withAlphaComponent(isHighlighted ? 0.5 : 1).setFill()
        let disc = bounds.insetBy(dx: width + 4, dy: width + 4)
        if mode == .video, isSelected {
            let side = disc.width * 0.55
            UIBezierPath(
                roundedRect: CGRect(x: bounds.midX - side / 2, y: bounds.midY - side / 2, width: side, height: side),
                cornerRadius: 5
            ).fill()
        } else {
            UIBezierPath(ovalIn: disc).fill()
        }
    }
}
