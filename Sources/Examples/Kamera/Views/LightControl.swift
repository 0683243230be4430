import UIKit

/// The mode of the camera's light: the flash for photos, the torch for movies.
public enum LightMode: Int, CaseIterable, Sendable {
    case off, on, auto

    var title: String {
        switch self {
        case .off: "Off"
        case .on: "On"
        case .auto: "Auto"
        }
    }

    /// The mode that the next tap selects.
    var next: LightMode {
        switch self {
        case .auto: .on
        case .on: .off
        case .off: .auto
        }
    }
}

/// A lightning bolt with the name of the selected mode. A tap selects the next mode and sends `valueChanged`.
public final class LightControl: UIControl {
    public var mode = LightMode.auto {
        didSet { update() }
    }

    private let icon = UIImageView()
    private let label = UILabel()

    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        icon.contentMode = .center
        label.font = .systemFont(ofSize: 13, weight: .semibold)
        for view in [icon, label] { addSubview(view) }
        addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                mode = mode.next
                sendActions(for: .valueChanged)
            }, for: .touchUpInside)
        update()
    }

    private func update() {
        let color: UIColor = mode == .on ? .systemYellow : .white
        icon.image = CameraIcons.lightningBolt(color: color)
        label.textColor = color
        label.text = mode.title
        setNeedsLayout()
    }

    public override func layoutSubviews() {
        super.layoutSubviews()
        icon.frame = CGRect(x: 0, y: 0, width: 24, height: bounds.height)
        label.frame = CGRect(x: 26, y: 0, width: bounds.width - 26, height: bounds.height)
    }
}
