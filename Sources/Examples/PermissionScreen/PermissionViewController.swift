import UIKit

/// Requests permissions one after the other, and shows an alert for each one that the user has not granted.
public final class PermissionViewController: UIViewController {
    /// The decisions of the user. Permissions without a decision are not included.
    public private(set) var decisions: [Permission: Permission.Status] = [:]
    /// Called for each decision of the user, including changes in Settings.
    public var decisionHandler: ((Permission, Permission.Status) -> Void)?
    private let permissions: [Permission]
    /// The permissions whose message the user has dismissed.
    private var acknowledged: Set<Permission> = []
    private var isAsking = false
    private var observer: (any NSObjectProtocol)?

    /// Creates the screen.
    ///
    /// - Parameter permissions: The permissions that the app needs, in the order in which it requests them.
    public init(_ permissions: [Permission] = Permission.allCases) {
        self.permissions = permissions
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        permissions = Permission.allCases
        super.init(coder: coder)
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // The user may return from Settings.
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.update() }
        }
        update()
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
    }

    /// Reads the decisions and requests the first permission without one. After the last one, shows messages.
    private func update() {
        for permission in permissions { read(permission) }
        guard !isAsking else { return }
        guard let next = permissions.first(where: { $0.status == .notDetermined }) else { return showNextMessage() }
        isAsking = true
        next.request { [weak self] _ in
            self?.isAsking = false
            self?.update()
        }
    }

    private func read(_ permission: Permission) {
        let status = permission.status
        guard status != .notDetermined, status != decisions[permission] else { return }
        decisions[permission] = status
        acknowledged.remove(permission)
        decisionHandler?(permission, status)
    }

    /// Shows the first message that the user has not dismissed.
    private func showNextMessage() {
        guard presentedViewController == nil else { return }
        for permission in permissions where !acknowledged.contains(permission) {
            guard let status = decisions[permission], let message = PermissionMessage(for: permission, status) else {
                continue
            }
            return show(message, for: permission)
        }
    }

    private func show(_ message: PermissionMessage, for permission: Permission) {
        let alert = UIAlertController(title: message.title, message: message.text, preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: "OK", style: .cancel) { [weak self] _ in
                self?.acknowledged.insert(permission)
                self?.showNextMessage()
            })
        if message.offersSettings {
            alert.addAction(
                UIAlertAction(title: "Settings", style: .default) { [weak self] _ in
                    self?.acknowledged.insert(permission)
                    guard let settings = URL(string: UIApplication.openSettingsURLString) else { return }
                    UIApplication.shared.open(settings)
                })
        }
        present(alert, animated: true)
    }
}
