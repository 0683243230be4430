import ArgumentParser
import CaptureHAL
import CaptureSimulation
import DemoWorld
import Foundation
import PermissionScreen
import UIKit

/// Shows the permission screen for each kind of answer.
@main
struct PermissionScreenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permission-screen",
        abstract: "Shows the messages of an app for each answer to a permission prompt.",
        discussion: "The permissions and the user's answers are simulated. The screen shows alerts only, no video.")

    @Option(
        help: ArgumentHelp("Show the screen for each answer, and write alerts.txt to this folder.", valueName: "folder")
    )
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            let lines = try MainActor.assumeIsolated {
                guard DemoWorld.isSimulated else { return Self.decisionsOfThisMachine }
                return try Self.answers.flatMap { try Self.show($0) }
            }
            let folder = URL(fileURLWithPath: demo, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = lines.joined(separator: "\n") + "\n"
            try text.write(to: folder.appendingPathComponent("alerts.txt"), atomically: true, encoding: .utf8)
            print(text, terminator: "")
            print("alerts.txt is in \(demo).")
        }
    }

    /// An answer to the prompts, or a decision that was made before.
    private struct Answer {
        let title: String
        var before = AuthorizationState.notDetermined
        var answer = PromptAnswer.grant
    }

    private static let answers = [
        Answer(title: "The user allows:"),
        Answer(title: "The user denies, and allows later in Settings:", answer: .deny),
        Answer(title: "The user answers after a minute:", answer: PromptAnswer(.denied, after: .seconds(60))),
        Answer(title: "The user never answers:", answer: .never),
        Answer(title: "The user may not decide:", before: .restricted),
    ]

    /// Shows the screen in a simulated system, presses the last button of each alert, and grants all permissions while
    /// Settings are open.
    @MainActor
    private static func show(_ answer: Answer) throws -> [String] {
        var lines = [answer.title]
        let resources: [ProtectedResource] = [.video, .audio, .photoLibrary]
        let simulated = try SimulatedSystem(
            authorization: Dictionary(uniqueKeysWithValues: resources.map { ($0, answer.before) }),
            answers: Dictionary(uniqueKeysWithValues: resources.map { ($0, answer.answer) }))
        _ = UIApplication.shared
        let controller = PermissionViewController()
        controller.decisionHandler = { permission, status in lines.append("  \(permission): \(status)") }
        controller.beginAppearanceTransition(true, animated: false)
        controller.endAppearanceTransition()
        simulated.advance(by: .seconds(200))
        if controller.decisions.isEmpty { lines.append("  nothing is shown, and the app waits") }
        while let alert = controller.presentedViewController as? UIAlertController,
            let button = alert.actions.last?.title
        {
            lines.append("  alert: \(alert.title ?? "") - \(alert.message ?? "")")
            lines.append("  the user presses \(button)")
            alert.press(button)
            guard UIApplication.shared.openedURLs.last?.absoluteString == UIApplication.openSettingsURLString else {
                continue
            }
            lines.append("  Settings are open")
            simulated.system.interruptions.begin(.notAvailableInBackground)
            simulated.advance(by: .seconds(1))
            for resource in resources { simulated.system.authorization.set(.authorized, for: resource) }
            simulated.system.interruptions.end(.notAvailableInBackground)
            simulated.advance(by: .seconds(1))
        }
        return lines
    }

    /// The current authorization on this machine.
    @MainActor
    private static var decisionsOfThisMachine: [String] {
        Permission.allCases.map { permission in
            let message = PermissionMessage(for: permission, permission.status)
            return "\(permission): \(permission.status)" + (message.map { " - \($0.text)" } ?? "")
        }
    }
}
