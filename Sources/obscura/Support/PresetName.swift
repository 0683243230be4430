import ArgumentParser
import CaptureCore

/// A session preset on the command line: `high`, `1280x720`, or as Apple names it.
struct PresetName {
    let text: String
    let preset: AVCaptureSession.Preset

    /// Each preset's name here, and Apple's in Swift.
    private static let names: [(short: String, swift: String, preset: AVCaptureSession.Preset)] = [
        ("high", "high", .high), ("medium", "medium", .medium), ("low", "low", .low), ("photo", "photo", .photo),
        ("352x288", "cif352x288", .cif352x288), ("640x480", "vga640x480", .vga640x480),
        ("960x540", "iFrame960x540", .iFrame960x540), ("1280x720", "hd1280x720", .hd1280x720),
        ("1920x1080", "hd1920x1080", .hd1920x1080), ("3840x2160", "hd4K3840x2160", .hd4K3840x2160),
    ]

    /// - Throws: `ValidationError` with the names that there are.
    init(argument: String) throws {
        guard
            let known = Self.names.first(where: {
                [$0.short, $0.swift, $0.preset.rawValue].contains(argument)
            })
        else {
            throw ValidationError(
                "there is no preset \"\(argument)\"; the presets are "
                    + Self.names.map(\.short).joined(separator: ", ") + ", or as Apple names them, as hd1280x720")
        }
        text = argument
        preset = known.preset
    }

    /// The names of those that a session supports as it is, for messages.
    static func supported(by session: AVCaptureSession) -> String {
        names.filter { session.canSetSessionPreset($0.preset) }.map(\.short).joined(separator: ", ")
    }
}
