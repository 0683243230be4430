import ArgumentParser
import CaptureCore
import MediaTypes

/// A session preset on the command line: `high`, `1280x720`, or Apple's name.
struct PresetName {
    let text: String
    let preset: AVCaptureSession.Preset

    /// The short name of each preset, and Apple's Swift name.
    private static let names: [(short: String, swift: String, preset: AVCaptureSession.Preset)] = [
        ("high", "high", .high), ("medium", "medium", .medium), ("low", "low", .low), ("photo", "photo", .photo),
        ("352x288", "cif352x288", .cif352x288), ("640x480", "vga640x480", .vga640x480),
        ("960x540", "iFrame960x540", .iFrame960x540), ("1280x720", "hd1280x720", .hd1280x720),
        ("1920x1080", "hd1920x1080", .hd1920x1080), ("3840x2160", "hd4K3840x2160", .hd4K3840x2160),
    ]

    /// The short names.
    static var shortNames: [String] { names.map(\.short) }

    /// Parses a name.
    ///
    /// - Throws: `ValidationError` with the known names.
    init(argument: String) throws {
        guard
            let known = Self.names.first(where: {
                [$0.short, $0.swift, $0.preset.rawValue].contains(argument)
            })
        else {
            throw ValidationError(
                "there is no preset \"\(argument)\" (Apple's names, such as hd1280x720, are also valid); "
                    + suggestion(for: argument, among: Self.shortNames))
        }
        text = argument
        preset = known.preset
    }

    /// Returns the names of the presets that a session supports with its present inputs, for messages.
    static func supported(by session: AVCaptureSession) -> String {
        names.filter { session.canSetSessionPreset($0.preset) }.map(\.short).joined(separator: ", ")
    }
}
