import UIKit

/// The controls over the preview: light, elapsed time and camera switch in one bar; mode, thumbnail and shutter in
/// another one. Taps between the bars reach the view behind.
public final class OverlayView: UIView {
    public let lightControl = LightControl()
    public let switchButton = UIButton(type: .custom)
    public let modeControl = CameraModeControl()
    public let shutterButton = ShutterButton(type: .custom)
    public let thumbnailButton = UIButton(type: .custom)
    private let elapsedTimeLabel = UILabel()
    private let statusBar = UIView()
    private let controlBar = UIView()

    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        for bar in [statusBar, controlBar] {
            bar.backgroundColor = UIColor.black.withAlphaComponent(0.5)
            addSubview(bar)
        }
        switchButton.setImage(CameraIcons.switchCamera(color: .white), for: .normal)
        elapsedTimeLabel.font = .monospacedDigitSystemFont(ofSize: 19, weight: .medium)
        elapsedTimeLabel.textColor = .white
        elapsedTimeLabel.textAlignment = .center
        elapsedTimeLabel.layer.cornerRadius = 5
        thumbnailButton.layer.cornerRadius = 6
        thumbnailButton.clipsToBounds = true
        thumbnailButton.layer.borderColor = UIColor.white.cgColor
        thumbnailButton.layer.borderWidth = 1
        thumbnailButton.backgroundColor = UIColor(white: 0.15, alpha: 1)
        for view in [lightControl, elapsedTimeLabel, switchButton] { statusBar.addSubview(view) }
        for view in [modeControl, thumbnailButton, shutterButton] { controlBar.addSubview(view) }
        modeControl.addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                shutterButton.mode = modeControl.mode
                elapsedTimeLabel.isHidden = modeControl.mode == .photo
            }, for: .valueChanged)
        elapsedTime = 0
    }

    // MARK: State

    /// The displayed time in seconds.
    public var elapsedTime: TimeInterval = 0 {
        didSet {
            let seconds = elapsedTime.isFinite ? max(0, Int(elapsedTime)) : 0
            elapsedTimeLabel.text = [seconds / 3600, seconds / 60 % 60, seconds % 60]
                .map { $0 < 10 ? "0\($0)" : "\($0)" }
                .joined(separator: ":")
        }
    }

    /// The text of the time label; nil in photo mode, in which the label is hidden.
    public var elapsedTimeText: String? { elapsedTimeLabel.isHidden ? nil : elapsedTimeLabel.text }

    /// Whether a movie is being recorded. Meanwhile, the mode and the camera cannot be changed.
    public var isRecording = false {
        didSet {
            shutterButton.isSelected = isRecording
            elapsedTimeLabel.backgroundColor = isRecording ? .systemRed : nil
            modeControl.isHidden = isRecording
            switchButton.isHidden = isRecording
        }
    }

    /// The last photo or movie.
    public var thumbnail: UIImage? {
        didSet { thumbnailButton.setBackgroundImage(thumbnail.map { Self.square($0) }, for: .normal) }
    }

    /// Returns an image scaled and cropped to the size of the thumbnail.
    private static func square(_ image: UIImage) -> UIImage {
        let scale = thumbnailSize / max(1, min(image.size.width, image.size.height))
        let size = CGSize(width: image.size.width * scale, height: image.size.height * scale)
        let format = UIGraphicsImageRendererFormat()
        format.scale = 3
        return UIGraphicsImageRenderer(size: CGSize(width: thumbnailSize, height: thumbnailSize), format: format)
            .image { _ in
                image.draw(
                    in: CGRect(
                        x: (thumbnailSize - size.width) / 2, y: (thumbnailSize - size.height) / 2, width: size.width,
                        height: size.height))
            }
    }

    // MARK: Layout

    /// Only the bars receive touches.
    public override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        statusBar.frame.contains(point) || controlBar.frame.contains(point)
    }

    private static let timeSize = CGSize(width: 104, height: 28)
    private static let shutterSize: CGFloat = 72
    private static let thumbnailSize: CGFloat = 48

    public override func layoutSubviews() {
        super.layoutSubviews()
        if bounds.width > bounds.height { layOutInLandscape() } else { layOutInPortrait() }
        let half = Self.shutterSize / 2
        let controls = controlBar.bounds
        shutterButton.frame = CGRect(
            x: controls.midX - half, y: shutterCenter - half, width: Self.shutterSize, height: Self.shutterSize)
    }

    /// The vertical position of the shutter in its bar.
    private var shutterCenter: CGFloat {
        bounds.width > bounds.height ? controlBar.bounds.midY : controlBar.bounds.height - 72
    }

    /// Bars at the top and the bottom.
    private func layOutInPortrait() {
        // The top margin leaves space for the camera cutout of the screen.
        let (top, height, margin): (CGFloat, CGFloat, CGFloat) = (44, 52, 16)
        statusBar.frame = CGRect(x: 0, y: 0, width: bounds.width, height: top + height)
        lightControl.frame = CGRect(x: margin, y: top, width: 80, height: height)
        elapsedTimeLabel.frame = CGRect(
            x: bounds.midX - Self.timeSize.width / 2, y: top + (height - Self.timeSize.height) / 2,
            width: Self.timeSize.width, height: Self.timeSize.height)
        switchButton.frame = CGRect(x: bounds.width - margin - 48, y: top, width: 48, height: height)
        let controlHeight: CGFloat = 168
        controlBar.frame = CGRect(
            x: 0, y: bounds.height - controlHeight, width: bounds.width, height: controlHeight)
        modeControl.frame = CGRect(x: bounds.midX - 90, y: 8, width: 180, height: 36)
        thumbnailButton.frame = CGRect(
            x: 28, y: shutterCenter - Self.thumbnailSize / 2, width: Self.thumbnailSize, height: Self.thumbnailSize)
    }

    /// Bars at the left and the right, within reach of the thumbs.
    private func layOutInLandscape() {
        let (width, margin): (CGFloat, CGFloat) = (124, 16)
        statusBar.frame = CGRect(x: 0, y: 0, width: width, height: bounds.height)
        lightControl.frame = CGRect(x: width / 2 - 34, y: margin, width: 80, height: 48)
        elapsedTimeLabel.frame = CGRect(
            x: (width - Self.timeSize.width) / 2, y: bounds.midY - Self.timeSize.height / 2,
            width: Self.timeSize.width, height: Self.timeSize.height)
        switchButton.frame = CGRect(x: width / 2 - 24, y: bounds.height - margin - 48, width: 48, height: 48)
        controlBar.frame = CGRect(x: bounds.width - width, y: 0, width: width, height: bounds.height)
        modeControl.frame = CGRect(x: 12, y: margin, width: width - 24, height: 120)
        thumbnailButton.frame = CGRect(
            x: (width - Self.thumbnailSize) / 2, y: bounds.height - 28 - Self.thumbnailSize,
            width: Self.thumbnailSize, height: Self.thumbnailSize)
    }
}
