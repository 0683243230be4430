import UIKit

/// The icons of the camera's buttons.
@MainActor
enum CameraIcons {
    /// A lightning bolt.
    static func lightningBolt(color: UIColor) -> UIImage {
        draw(size: CGSize(width: 16, height: 22), color: color) {
            let path = UIBezierPath()
            path.move(to: CGPoint(x: 10, y: 0))
            for (x, y) in [(1, 13), (7, 13), (5, 22), (15, 8), (9, 8)] as [(CGFloat, CGFloat)] {
                path.addLine(to: CGPoint(x: x, y: y))
            }
            path.close()
            path.fill()
        }
    }

    /// A camera with two circular arrows around its lens.
    static func switchCamera(color: UIColor) -> UIImage {
        draw(size: CGSize(width: 36, height: 28), color: color) {
            let body = UIBezierPath()
            body.append(UIBezierPath(roundedRect: CGRect(x: 1.25, y: 5, width: 33.5, height: 21.5), cornerRadius: 4))
            body.lineWidth = 2.5
            body.stroke()
            UIBezierPath(roundedRect: CGRect(x: 12, y: 1, width: 12, height: 5), cornerRadius: 2).fill()
            for turn in [0, CGFloat.pi] {
                let arrow = UIBezierPath(
                    arcCenter: .zero, radius: 6, startAngle: 0.35, endAngle: .pi - 0.35, clockwise: true)
                let head = UIBezierPath()
                head.move(to: CGPoint(x: -9, y: 2.6))
                head.addLine(to: CGPoint(x: -2.4, y: 2.6))
                head.addLine(to: CGPoint(x: -6.2, y: -2.6))
                head.close()
                for path in [arrow, head] {
                    path.apply(CGAffineTransform(rotationAngle: turn))
                    path.apply(CGAffineTransform(translationX: 18, y: 16))
                }
                arrow.lineWidth = 2.2
                arrow.stroke()
                head.fill()
            }
        }
    }

    private static func draw(size: CGSize, color: UIColor, _ body: () -> Void) -> UIImage {
        let format = UIGraphicsImageRendererFormat()
        format.scale = 3
        return UIGraphicsImageRenderer(size: size, format: format).image { _ in
            color.set()
            body()
        }
    }
}
