import UIKit

/// The kind of media that the shutter button captures.
public enum CameraMode: Int, CaseIterable, Sendable {
    case video, photo

    var title: String { self == .video ? "VIDEO" : "PHOTO" }
}

/// A row of modes with one selected mode. A tap on another mode selects it and sends `valueChanged`.
public final class CameraModeControl: UIControl {
    public var mode = CameraMode.video {
        didSet { update() }
    }

    private let buttons: [UIButton]

    public override init(frame: CGRect) {
        buttons = CameraMode.allCases.map { _ in UIButton(type: .custom) }
        super.init(frame: frame)
        setUp()
    }

    public required init?(coder: NSCoder) {
        buttons = CameraMode.allCases.map { _ in UIButton(type: .custom) }
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        for (button, mode) in zip(buttons, CameraMode.allCases) {
            button.setTitle(mode.title, for: .normal)
            button.setTitleColor(.white, for: .normal)
            button.setTitleColor(.systemYellow, for: .selected)
            button.titleLabel?.font = .systemFont(ofSize: 14, weight: .medium)
            button.addAction(UIAction { [weak self] _ in self?.select(mode) }, for: .touchUpInside)
            addSubview(button)
        }
        update()
    }

    /// The button of a mode.
    func button(for mode: CameraMode) -> UIButton { buttons[mode.rawValue] }

    private func select(_ selected: CameraMode) {
        guard isEnabled, selected != mode else { return }
        mode = selected
        sendActions(for: .valueChanged)
    }

    private func update() {
        for (button, mode) in zip(buttons, CameraMode.allCases) { button.isSelected = mode == self.mode }
    }

    /// Arranges the buttons side by side, or one above the other if the control is taller than wide.
    public override func layoutSubviews() {
        super.layoutSubviews()
        let isColumn = bounds.height > bounds.width
        let count = CGFloat(buttons.count)
        let size = CGSize(
            width: isColumn ? bounds.width : bounds.width / count,
            height: isColumn ? bounds.height / count : bounds.height)
        for (index, button) in buttons.enumerated() {
            let offset = CGFloat(index)
            button.frame = CGRect(
                x: isColumn ? 0 : offset * size.width, y: isColumn ? offset * size.height : 0, width: size.width,
                height: size.height)
        }
    }
}
