/// The modules that an app can import on Linux.
enum LinuxModules {
    /// The modules of this package's products that apps import.
    static let own: Set = [
        "AVFAudio", "AVFoundation", "AssetsLibrary", "AudioToolbox", "CoreAudio", "CoreImage", "CoreLocation",
        "CoreMedia", "CoreMotion", "CoreVideo", "ImageIO", "MediaToolbox", "MobileCoreServices", "Photos", "PhotosUI",
        "QuartzCore", "UIKit", "UniformTypeIdentifiers", "VideoToolbox",
    ]
    /// The modules of the toolchain.
    static let toolchain: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Dispatch", "Glibc", "XCTest", "Testing", "Synchronization", "Observation", "Distributed",
        "RegexBuilder", "Runtime", "Cxx", "CxxStdlib",
    ]

    private static let noViews =
        "move code that does not use it to files without this import; keep views in files that are not built on Linux"

    /// The advice for imports of Apple's modules that do not exist on Linux.
    private static let advice: [String: String] = [
        "os": "remove the import; `Logger`, `os_log` and the unfair locks come with AVFoundation",
        "OSLog": "remove the import; `Logger` and `OSLog` come with AVFoundation",
        "CoreGraphics": "remove the import; the types come with Foundation and AVFoundation",
        "Combine": "import OpenCombine, or observe with key paths and `AsyncStream`",
        "Darwin": "import Glibc, or Foundation for both",
        "ObjectiveC": "remove the import; there is no Objective-C runtime on Linux",
        "CoreServices": "import UniformTypeIdentifiers, and use `UTType` for `kUTType…`",
        "Vision": "put the requests behind a protocol of the app; codes and faces come from `AVCaptureMetadataOutput`",
        "CoreML": "put the model behind a protocol of the app",
        "Metal": "put rendering behind a protocol of the app; frames are `CVPixelBuffer`",
        "MetalKit": noViews, "GLKit": noViews, "OpenGLES": noViews, "SwiftUI": noViews, "AppKit": noViews,
        "Cocoa": noViews, "AVKit": noViews, "SafariServices": noViews, "MessageUI": noViews,
        "SpriteKit": noViews, "SceneKit": noViews, "ARKit": noViews, "MapKit": noViews, "WebKit": noViews,
        "MediaPlayer": noViews, "StoreKit": noViews, "WidgetKit": noViews, "ContactsUI": noViews,
        "Network": "use swift-nio, or FoundationNetworking",
        "CoreData": "put the store behind a protocol of the app",
        "CryptoKit": "import Crypto of swift-crypto",
        "CommonCrypto": "import Crypto of swift-crypto",
        "Security": "put the keychain behind a protocol of the app",
        "Accelerate": "write the loop in Swift, which the compiler vectorizes",
        "simd": "remove the import; `SIMD3` and similar types are part of Swift",
        "CoreBluetooth": "put the connection behind a protocol of the app",
        "CoreHaptics": "put haptics behind a protocol of the app",
        "LocalAuthentication": "put the authentication behind a protocol of the app",
        "UserNotifications": "put notifications behind a protocol of the app",
        "IOKit": "remove the import; devices come from AVFoundation",
        "Contacts": "put the contacts behind a protocol of the app",
        "AudioUnit": "put the audio units behind a protocol of the app",
        "CoreText": "remove the import; there is one font",
    ]
    /// Apple's other modules that do not exist on Linux.
    private static let others: Set = [
        "AVRouting", "AdServices", "AdSupport", "AppIntents", "AppTrackingTransparency", "ApplicationServices",
        "AuthenticationServices", "BackgroundTasks", "CFNetwork", "CallKit", "CarPlay", "Charts", "Cinematic",
        "ClockKit",
        "CloudKit", "CoreAudioKit", "CoreAudioTypes", "CoreMIDI", "CoreMediaIO", "CoreNFC", "CoreSpotlight",
        "CoreTelephony", "CoreTransferable", "CoreWLAN", "DeviceActivity", "EventKit", "EventKitUI",
        "ExternalAccessory",
        "FileProvider", "GameController", "GameKit", "GameplayKit", "HealthKit", "HomeKit", "IOSurface",
        "ImageCaptureCore", "Intents", "IntentsUI", "JavaScriptCore", "LinkPresentation", "LockedCameraCapture",
        "MediaAccessibility", "MetalFX", "MetalPerformanceShaders", "MetricKit", "ModelIO", "MultipeerConnectivity",
        "NaturalLanguage", "NearbyInteraction", "NetworkExtension", "PDFKit", "PassKit", "PencilKit", "PushKit",
        "Quartz",
        "QuickLook", "QuickLookThumbnailing", "RealityKit", "ReplayKit", "ScreenCaptureKit", "ScreenSaver",
        "ServiceManagement", "ShazamKit", "SoundAnalysis", "Speech", "SwiftData", "Symbols", "SystemConfiguration",
        "TipKit", "VideoSubscriberAccount", "VisionKit", "WatchConnectivity", "WatchKit",
    ]

    /// Returns the advice for the import of one of Apple's modules that do not exist on Linux; nil for other modules.
    static func advice(for module: String) -> String? {
        advice[module] ?? (others.contains(module) ? "put its use behind a protocol of the app" : nil)
    }

    /// Returns whether a module exists on Linux; nil for unknown modules, such as those of other packages.
    static func exists(_ module: String) -> Bool? {
        if own.contains(module) || toolchain.contains(module) { return true }
        return advice(for: module) == nil ? nil : false
    }
}
