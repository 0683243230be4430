// swift-tools-version: 6.2
// The manifest defines the architecture: each target declares all modules that it imports.
//
// Zones. A target imports targets of its own zone, and what the zone, or a line for this target alone, allows; `never`
// forbids imports that the zone allows. Each C target is imported by one Swift target, of any zone. CI/lint checks this.
//
// zone vocabulary: media types and functions without devices and files: `CM…`, `CV…`, errors, settings, metadata items
//   imports nothing
//   targets MediaTypes AssetTypes FoundationAdditions UniformTypeIdentifiers MobileCoreServices KeyValueObserving
//           MediaStorage StrictYAML PixelKernels CoreAudio
// zone devices: the hardware protocol, clocks, and real, simulated and recorded devices
//   imports vocabulary; SimDevices: MediaCodecs MediaFiles TextRendering; RecordedDevices: MediaCodecs MediaFiles
//   never   CaptureHAL: ThreeA LinuxDevices SimDevices RecordedDevices
//   targets CaptureHAL ThreeA LinuxDevices SimDevices RecordedDevices
// zone capture: `AVCapture…`: session, devices, outputs, recording, preview; no kind of device
//   imports vocabulary CaptureHAL MediaCodecs; CapturePreview: QuartzCore
//   never   CaptureCore: CapturePreview
//   targets CaptureCore CapturePreview
// zone media: files, codecs, reading and writing, editing, playback, photo library, drawing, views; no kind of device
//   imports vocabulary CaptureHAL
//   never   MediaCodecs: MediaFiles CaptureHAL; MediaFiles: CaptureHAL; PhotoStore: Playback; MediaAssets: MediaEditing ImageTypes VectorGraphics QuartzCore
//   targets MediaCodecs MediaFiles MediaAssets MediaEditing MediaToolbox Playback PhotoStore PhotoPlayback ImageTypes ImageIO
//           AVFAudio AudioToolbox VideoToolbox TextRendering VectorGraphics QuartzCore UIKit CoreLocation CoreMotion _Testing_CoreImage _Testing_UIKit
// zone umbrellas: modules with Apple's names that export others; `CaptureBackends` connects them to the devices
//   imports vocabulary capture media CaptureHAL CaptureBackends
//   targets AVFoundation CoreMedia CoreVideo CoreImage Photos PhotosUI AssetsLibrary
// zone test: simulated systems, scenarios, assertions, the command line, example apps
//   imports vocabulary devices capture media umbrellas
//   never   CaptureBackends CaptureSimulation: capture media umbrellas; CaptureScenarios: PhotoStore
//   targets CaptureBackends CaptureSimulation MediaMeasurements CaptureScenarios
//           ScenarioPhotoLibrary CaptureTesting SourcePorting obscura
//           Recorders PermissionScreen CaptureGuide CodeReader Kamera SlowMotion DepthViewer CaptureService ModernCamera
//           ClipCamera OwnCamera DemoWorld recorders permission-screen capture-guide code-reader slow-motion kamera depth-viewer
//           capture-service own-camera modern-camera
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// The settings of C targets with loops over pixels and samples. They are optimized in debug builds too, since tests of
/// clients run in debug builds. SwiftPM 6.2 and later permits these flags in a dependency with tools version 6.2 or later.
let optimized: [CSetting] = [
    .treatAllWarnings(as: .error), .unsafeFlags(["-O2"], .when(configuration: .debug)),
]

func library(
    _ name: String, path: String? = nil, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: strict)
}

/// The library of an example app from a tutorial. It imports only modules with Apple's names, as client code does.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Examples/\(name)",
        swiftSettings: [
            .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
        ])
}

/// A command that runs an example app in a simulated system.
func demo(_ name: String, of example: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            .byName(name: example), "AVFoundation", "UIKit", "CaptureHAL", "CaptureSimulation", "DemoWorld", arguments,
        ] + more,
        path: "Sources/Examples/\(example)Demo", swiftSettings: strict)
}

func tests(_ module: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.byName(name: module)] + dependencies, resources: resources,
        swiftSettings: strict)
}

/// The trait that is enabled by default. It stands for all others: SwiftPM passes the enabled traits to the compiler in an
/// order that can change whenever a file is added, and another order builds everything again.
let everything = "Everything"

/// A target that is imported only if a trait of the package is enabled.
func ifEnabled(_ trait: String, _ target: String) -> Target.Dependency {
    .target(name: target, condition: .when(traits: [everything, trait]))
}

let yams = Target.Dependency.product(
    name: "Yams", package: "Yams", condition: .when(traits: [everything, "YAMLFiles"]))
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "obscura",
    products: [
        .library(
            name: "AVFoundation",
            targets: [
                "AVFoundation", "AVFAudio", "CoreImage", "CoreLocation", "CoreMedia", "CoreVideo", "ImageIO",
                "QuartzCore", "Photos", "MobileCoreServices", "MediaToolbox",
            ]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "PhotosUI", targets: ["PhotosUI"]),
        .library(name: "AssetsLibrary", targets: ["AssetsLibrary"]),
        .library(name: "AudioToolbox", targets: ["AudioToolbox", "CoreAudio"]),
        .library(name: "VideoToolbox", targets: ["VideoToolbox"]),
        .library(name: "CoreMotion", targets: ["CoreMotion"]),
        .library(name: "CaptureTesting", targets: ["CaptureTesting"]),
        .library(name: "CaptureSimulation", targets: ["CaptureSimulation"]),
        .library(name: "CaptureHAL", targets: ["CaptureHAL", "MediaTypes"]),
        .executable(name: "obscura", targets: ["obscura"]),
        .executable(name: "recorders", targets: ["recorders"]),
        .executable(name: "permission-screen", targets: ["permission-screen"]),
        .executable(name: "capture-guide", targets: ["capture-guide"]),
        .executable(name: "code-reader", targets: ["code-reader"]),
        .executable(name: "slow-motion", targets: ["slow-motion"]),
        .executable(name: "kamera", targets: ["kamera"]),
        .executable(name: "depth-viewer", targets: ["depth-viewer"]),
        .executable(name: "capture-service", targets: ["capture-service"]),
        .executable(name: "own-camera", targets: ["own-camera"]),
        .executable(name: "modern-camera", targets: ["modern-camera"]),
    ],
    // A client that enables fewer parts builds fewer modules; docs/testing.md shows how. The tests and commands of this
    // package need all of them.
    traits: [
        .default(enabledTraits: [everything]),
        .trait(name: everything, description: "All parts below."),
        .trait(name: "PhotoLibrary", description: "The photo library: `import Photos`, saving in the photo library."),
        .trait(name: "PlaybackAndEditing", description: "Players, compositions, audio mixes and export sessions."),
        .trait(name: "LinuxDevices", description: "The devices of the kernel, V4L2 and ALSA, and the audio output."),
        .trait(
            name: "Scenarios", description: "Scenarios in tests: `XCTAssertScenario` and `scenarios(in:)`.",
            enabledTraits: ["YAMLFiles"]),
        .trait(name: "YAMLFiles", description: "Profiles and scenes in YAML files; built-in ones need none."),
    ],
    dependencies: [
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        library("MediaTypes"),
        library("UniformTypeIdentifiers"),
        library("SourcePorting"),
        library("FoundationAdditions", ["MediaTypes", "UniformTypeIdentifiers"]),
        library("MobileCoreServices", ["MediaTypes", "UniformTypeIdentifiers"]),
        library("PixelKernels", ["MediaTypes", "CPixelKernels", "CYUV"]),
        library("StrictYAML", ["MediaTypes", yams]),
        library("KeyValueObserving", ["MediaTypes"]),
        library("CoreAudio", ["MediaTypes"]),
        library("MediaStorage", ["MediaTypes"]),
        library("AssetTypes", ["MediaTypes"]),
        library(
            "TextRendering", ["MediaTypes", "CFreeType"], resources: [.embedInCode("Fonts/DejaVuSans.ttf")],
            exclude: ["Fonts/LICENSE.txt", "Fonts/README.md"]),
        library("CaptureHAL", ["MediaTypes", "KeyValueObserving", "MediaStorage", "CCaptureHAL"]),
        library(
            "MediaCodecs",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "MediaStorage", "CLibAV", "CRubberBand", "CTurboJPEG",
                "CEXIF", "CHEIF", "CPNG", "CZBar", "CDetectors",
            ]),
        library("MediaFiles", ["MediaTypes", "PixelKernels", "MediaStorage", "MediaCodecs"]),
        library("ThreeA", ["MediaTypes", "CThreeA"]),
        library("VectorGraphics", ["MediaTypes", "TextRendering", "CCairo"]),
        library("LinuxDevices", ["MediaTypes", "PixelKernels", "CaptureHAL", "ThreeA", "CLinuxDevices"]),
        library(
            "RecordedDevices",
            [
                "MediaTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaFiles",
                "CRecordedDevices",
            ]),
        library(
            "SimDevices", path: "SimDevices",
            [
                "MediaTypes", "PixelKernels", "StrictYAML", "TextRendering", "MediaStorage", "CaptureHAL",
                "MediaCodecs", "MediaFiles", "ThreeA", "CSimKernels",
            ],
            resources: [.embedInCode("Profiles")]),
        library("ImageTypes", ["MediaTypes", "PixelKernels", "MediaCodecs"]),
        library("CoreLocation", ["MediaTypes", "CaptureHAL"]),
        library("AVFAudio", ["MediaTypes", "AssetTypes", "CaptureHAL", "MediaCodecs"]),
        library("QuartzCore", ["MediaTypes", "CaptureHAL", "VectorGraphics"]),
        library("VideoToolbox", ["MediaTypes", "PixelKernels"]),
        library("ImageIO", ["MediaTypes", "PixelKernels", "MediaCodecs"]),
        library("CoreMotion", ["MediaTypes", "CaptureHAL"]),
        // Swift Testing declares overlays for modules of these names: a file that imports Testing and CoreImage also
        // imports _Testing_CoreImage, and with UIKit _Testing_UIKit. Without them such a file does not compile.
        library("_Testing_CoreImage", ["MediaTypes", "ImageTypes"]),
        library(
            "MediaAssets",
            [
                "MediaTypes", "AssetTypes", "UniformTypeIdentifiers", "PixelKernels", "KeyValueObserving",
                "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaFiles", "AVFAudio",
            ]),
        library(
            "MediaEditing",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaFiles",
                "ImageTypes",
                "MediaAssets", "VectorGraphics", "QuartzCore",
            ]),
        library("AudioToolbox", ["MediaTypes", "CaptureHAL", "CoreAudio"]),
        library("_Testing_UIKit", ["_Testing_CoreImage"]),
        library("MediaToolbox", [ifEnabled("PlaybackAndEditing", "MediaEditing")]),
        library(
            "CaptureCore",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "KeyValueObserving", "MediaStorage", "CaptureHAL",
                "MediaCodecs",
            ]),
        library(
            "CapturePreview",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "KeyValueObserving", "CaptureHAL", "QuartzCore",
                "CaptureCore",
            ]),
        library(
            "Playback",
            [
                "MediaTypes", "AssetTypes", "KeyValueObserving", "CaptureHAL", "MediaCodecs", "MediaAssets",
                "MediaEditing", "QuartzCore",
            ]),
        library(
            "PhotoStore",
            [
                "MediaTypes", "UniformTypeIdentifiers", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs",
                "MediaFiles",
                "ImageTypes", "CoreLocation", "MediaAssets", "MediaEditing", "CSQLite",
            ]),
        library("PhotoPlayback", ["PhotoStore", "MediaAssets", ifEnabled("PlaybackAndEditing", "Playback")]),
        library(
            "CaptureBackends",
            [
                "MediaTypes", "MediaStorage", "CaptureHAL", "RecordedDevices", "SimDevices",
                ifEnabled("LinuxDevices", "LinuxDevices"),
            ]),
        library(
            "CaptureSimulation", ["MediaTypes", "MediaStorage", "CaptureHAL", "SimDevices", "CWorld"]),
        library(
            "UIKit",
            [
                "MediaTypes", "FoundationAdditions", "VectorGraphics", "QuartzCore", "CaptureHAL", "ImageTypes",
                "_Testing_UIKit", ifEnabled("PhotoLibrary", "MediaAssets"), ifEnabled("PhotoLibrary", "PhotoStore"),
            ]),
        library(
            "MediaMeasurements",
            ["MediaTypes", "PixelKernels", "MediaStorage", "MediaCodecs", "MediaFiles", "ThreeA"]),
        library(
            "CaptureScenarios",
            [
                "MediaTypes", "PixelKernels", "StrictYAML", "MediaStorage", "CaptureHAL", "MediaCodecs", "SimDevices",
                "AssetTypes", "AVFAudio", "CaptureCore", "CapturePreview", "MediaMeasurements", "CaptureSimulation",
                "CCaptureScenarios",
            ]),
        library(
            "ScenarioPhotoLibrary",
            [
                "MediaTypes", "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaMeasurements", "CaptureScenarios",
                ifEnabled("PhotoLibrary", "PhotoStore"),
            ]),
        library("CoreMedia", ["MediaTypes", "FoundationAdditions"]),
        library("CoreVideo", ["MediaTypes", "FoundationAdditions"]),
        library("CoreImage", ["MediaTypes", "FoundationAdditions", "ImageTypes", "_Testing_CoreImage"]),
        library(
            "AVFoundation",
            [
                "UniformTypeIdentifiers", "FoundationAdditions", "KeyValueObserving", "QuartzCore", "CoreLocation",
                "AssetTypes", "MediaAssets", "CaptureCore", "CapturePreview", "CaptureBackends", "CoreMedia",
                "CoreVideo", "CoreImage", "ImageIO", "AudioToolbox",
                ifEnabled("PlaybackAndEditing", "MediaEditing"), ifEnabled("PlaybackAndEditing", "Playback"),
            ]),
        library(
            "Photos",
            [
                "CaptureBackends", "AVFoundation", ifEnabled("PhotoLibrary", "PhotoStore"),
                ifEnabled("PhotoLibrary", "PhotoPlayback"),
            ]),
        library("PhotosUI", ["FoundationAdditions", "CaptureHAL", "UIKit", "PhotoStore", "Photos"]),
        library(
            "AssetsLibrary",
            [
                "MediaTypes", "FoundationAdditions", "PixelKernels", "CaptureHAL", "MediaCodecs", "ImageTypes",
                "CoreLocation", "PhotoStore", "CaptureBackends", "AVFoundation",
            ]),
        library(
            "CaptureTesting",
            [
                "MediaTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "SimDevices",
                "RecordedDevices", "ImageTypes", "CaptureCore", "MediaMeasurements", "CaptureSimulation",
                "CTestReporting", ifEnabled("Scenarios", "CaptureScenarios"),
                ifEnabled("Scenarios", "ScenarioPhotoLibrary"),
            ]),
        .executableTarget(
            name: "obscura",
            dependencies: [
                "MediaTypes", "PixelKernels", "StrictYAML", "TextRendering", "MediaStorage", "CaptureHAL",
                "MediaCodecs", "MediaFiles", "LinuxDevices", "RecordedDevices", "SimDevices", "AssetTypes",
                "ImageTypes",
                "MediaAssets", "MediaEditing", "CaptureCore", "CapturePreview", "Playback", "PhotoStore",
                "CaptureScenarios", "ScenarioPhotoLibrary", "CaptureBackends", "CaptureSimulation", "SourcePorting",
                arguments,
            ],
            swiftSettings: strict),
        // Example apps of the tutorials.
        example("Recorders", ["AVFoundation", "Photos"]),
        example("PermissionScreen", ["AVFoundation", "Photos", "UIKit"]),
        library("DemoWorld", path: "Sources/Examples/DemoWorld", ["AVFoundation", "CaptureSimulation", "Photos"]),
        example("CaptureGuide", ["AVFoundation", "UIKit"]),
        example("CodeReader", ["AVFoundation", "UIKit"]),
        example("Kamera", ["AVFoundation", "AssetsLibrary", "Photos", "UIKit"]),
        example("SlowMotion", ["AVFoundation"]),
        example("DepthViewer", ["AVFoundation"]),
        example("CaptureService", ["AVFoundation", "UIKit"]),
        example("ModernCamera", ["AVFoundation", "Photos"]),
        // An app with faults that can be switched on, for the tests of explorations.
        example("ClipCamera", ["AVFoundation", "Photos", "UIKit"]),
        library("OwnCamera", path: "Sources/Examples/OwnCamera", ["MediaTypes", "CaptureHAL"]),
        demo("recorders", of: "Recorders"),
        demo("permission-screen", of: "PermissionScreen"),
        demo("capture-guide", of: "CaptureGuide"),
        demo("code-reader", of: "CodeReader"),
        demo("slow-motion", of: "SlowMotion"),
        demo("kamera", of: "Kamera"),
        demo("depth-viewer", of: "DepthViewer"),
        demo("capture-service", of: "CaptureService"),
        demo("own-camera", of: "OwnCamera"),
        demo("modern-camera", of: "ModernCamera"),

        // C libraries and shims. One Swift target at most imports each of them.
        .target(name: "CCaptureHAL"),
        .target(name: "CCaptureScenarios", cSettings: [.treatAllWarnings(as: .error)]),
        // Loads shared libraries on first use. Other C targets depend on it.
        .target(name: "CLibraryLoading", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CWorld", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CTestReporting", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CRecordedDevices", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CPixelKernels", cSettings: optimized),
        .target(name: "CThreeA", cSettings: optimized),
        .target(name: "CSimKernels", cSettings: optimized),
        .target(
            name: "CLinuxDevices", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("udev")]),
        .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
        // Loads FFmpeg's libraries on first use.
        .target(name: "CLibAV", dependencies: ["CLibraryLoading"], cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        // Loads cairo on first use.
        .target(name: "CCairo", dependencies: ["CLibraryLoading"], cSettings: [.treatAllWarnings(as: .error)]),
        // Loads Rubber Band on first use.
        .target(name: "CRubberBand", dependencies: ["CLibraryLoading"], cSettings: [.treatAllWarnings(as: .error)]),
        // Loads libheif on first use.
        .target(name: "CHEIF", dependencies: ["CLibraryLoading"], cSettings: [.treatAllWarnings(as: .error)]),
        // Loads zbar on first use.
        .target(name: "CZBar", dependencies: ["CLibraryLoading"], cSettings: [.treatAllWarnings(as: .error)]),
        // Loads the libraries that Sources/Detectors/build creates, from the folder that OBSCURA_DETECTORS names.
        .target(name: "CDetectors", cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),

        // Helpers that several test targets use.
        library(
            "TestSupport", path: "Tests/TestSupport",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaFiles",
                "SimDevices",
                "MediaAssets", "MediaEditing",
            ]),
        // Helpers for the tests of example apps.
        library("ExampleTestSupport", path: "Tests/ExampleTestSupport", ["AVFoundation"]),
        // Apps whose tests run in simulated systems. They import only AVFoundation and Photos.
        library("ClassicCaptureController", path: "Tests/ExampleApps/ClassicCapture", ["AVFoundation", "Photos"]),
        library("RacyCameraControllers", path: "Tests/ExampleApps/Races", ["AVFoundation"]),
        // Types with the same names as types of this package, to test that client code can declare such types.
        library("ClientTypes", path: "Tests/ClientTypes"),
        // The app that CI/benchmark runs in a simulated system.
        .executableTarget(
            name: "polling-service", dependencies: ["AVFoundation", "CaptureSimulation"], path: "Tests/PollingService",
            swiftSettings: strict),
        // Measures the operations of a photo library for CI/library-size.
        .executableTarget(
            name: "library-times", dependencies: ["CaptureHAL", "PhotoStore"], path: "Tests/LibraryTimes",
            swiftSettings: strict),
        // Encodes photos for CI/benchmark.
        .executableTarget(
            name: "photo-encoding", dependencies: ["MediaTypes", "MediaCodecs"], path: "Tests/PhotoEncoding",
            swiftSettings: strict),
        tests("MediaTypes"),
        tests("FoundationAdditions", ["MediaTypes", "UniformTypeIdentifiers"]),
        tests("PixelKernels", ["MediaTypes"]),
        tests("VectorGraphics", ["MediaTypes"]),
        tests("QuartzCore", ["MediaTypes", "CaptureHAL", "VectorGraphics"]),
        tests("TextRendering"),
        tests("MediaStorage", ["MediaTypes"]),
        tests("StrictYAML"),
        tests("CaptureHAL", ["MediaTypes"]),
        tests("ThreeA", ["MediaTypes"]),
        tests("MediaCodecs", ["MediaTypes", "PixelKernels", "MediaStorage", "MediaFiles", "TestSupport"]),
        tests("ImageTypes", ["MediaTypes", "MediaCodecs"]),
        tests("CoreLocation", ["MediaTypes", "CaptureHAL"]),
        tests("UIKit", ["MediaTypes", "CaptureHAL", "AVFoundation", "Photos", "CaptureTesting"]),
        tests("PhotosUI", ["MediaTypes", "CaptureHAL", "MediaCodecs", "CaptureSimulation", "TestSupport"]),
        tests("AudioToolbox", ["MediaTypes", "CaptureHAL"]),
        tests("VideoToolbox", ["MediaTypes"]),
        tests("MediaToolbox"),
        tests("MobileCoreServices"),
        tests("UniformTypeIdentifiers"),
        tests("ImageIO", ["MediaTypes", "MediaCodecs"]),
        tests("CoreMotion", ["MediaTypes", "CaptureHAL"]),
        tests("AVFAudio", ["MediaTypes", "AssetTypes", "CaptureHAL", "SimDevices", "CaptureTesting"]),
        tests(
            "LinuxDevices",
            [
                "MediaTypes", "AssetTypes", "MediaStorage", "CaptureHAL", "CLinuxDevices", "MediaCodecs", "MediaFiles",
                "MediaAssets",
                "CaptureCore", "Playback", "CaptureTesting", "RecordedDevices", "TestSupport",
            ]),
        tests(
            "RecordedDevices",
            ["MediaTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "SimDevices", "TestSupport"]),
        tests(
            "SimDevices",
            [
                "MediaTypes", "PixelKernels", "StrictYAML", "MediaStorage", "CaptureHAL", "MediaCodecs", "ThreeA",
                "TestSupport",
            ]),
        tests(
            "MediaAssets",
            [
                "MediaTypes", "AssetTypes", "UniformTypeIdentifiers", "PixelKernels", "MediaStorage", "CaptureHAL",
                "MediaCodecs", "MediaFiles", "SimDevices", "MediaEditing", "TestSupport",
            ]),
        tests(
            "MediaEditing",
            [
                "MediaTypes", "AssetTypes", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs", "MediaFiles",
                "MediaAssets",
                "ImageTypes", "QuartzCore", "SimDevices", "TestSupport",
            ]),
        tests(
            "CaptureCore",
            [
                "MediaTypes", "AssetTypes", "QuartzCore", "PixelKernels", "KeyValueObserving", "MediaStorage",
                "CaptureHAL", "MediaCodecs", "MediaFiles", "SimDevices", "RecordedDevices", "MediaAssets",
                "CapturePreview",
                "TestSupport",
            ]),
        tests(
            "PhotoStore",
            [
                "MediaTypes", "UniformTypeIdentifiers", "PixelKernels", "MediaStorage", "CaptureHAL", "MediaCodecs",
                "ImageTypes", "CoreLocation", "MediaEditing", "Playback", "PhotoPlayback", "CSQLite", "TestSupport",
            ]),
        tests(
            "Playback",
            [
                "MediaTypes", "AssetTypes", "KeyValueObserving", "CaptureHAL", "MediaAssets", "MediaEditing",
                "QuartzCore", "SimDevices",
                "AVFoundation", "SlowMotion", "CaptureTesting", "TestSupport",
            ]),
        tests(
            "CaptureScenarios",
            [
                "MediaTypes", "AssetTypes", "StrictYAML", "KeyValueObserving", "MediaStorage", "CaptureHAL",
                "SimDevices",
                "CaptureCore", "ScenarioPhotoLibrary", "TestSupport",
            ]),
        tests(
            "CaptureSimulation",
            [
                "MediaTypes", "AssetTypes", "CaptureHAL", "CaptureCore", "AVFoundation", "Photos", "UIKit",
                "CaptureTesting", "ModernCamera", "ClassicCaptureController", "RacyCameraControllers", "TestSupport",
            ], resources: [.copy("Recipes/Golden")]),
        tests(
            "CaptureTesting",
            [
                "MediaTypes", "AssetTypes", "CaptureHAL", "CaptureCore", "PhotoStore", "CaptureScenarios",
                "CaptureSimulation", "RecordedDevices", "SimDevices", "ImageTypes", "MediaCodecs", "TestSupport",
            ]),
        tests("AssetsLibrary", ["Photos", "CaptureTesting"]),
        tests("CaptureBackends", ["MediaTypes", "MediaStorage", "CaptureHAL"]),
        tests(
            "AVFoundation",
            [
                "CoreImage", "CoreLocation", "CoreMedia", "CoreVideo", "Photos", "PhotosUI", "UIKit", "SimDevices",
                "CaptureTesting", "TestSupport",
            ]),
        // Client code in the Swift 5 language mode.
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: ["AVFoundation", "Photos", "CaptureTesting", "ClientTypes"],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        tests(
            "Recorders",
            ["CaptureHAL", "AVFoundation", "Photos", "CaptureTesting", "TestSupport", "ExampleTestSupport"]),
        tests(
            "Kamera",
            ["CaptureHAL", "AVFoundation", "Photos", "UIKit", "CaptureTesting", "TestSupport", "ExampleTestSupport"]),
        tests("PermissionScreen", ["CaptureHAL", "AVFoundation", "Photos", "UIKit", "CaptureTesting"]),
        tests("CaptureGuide", ["AVFoundation", "UIKit", "CaptureTesting", "TestSupport"]),
        tests("CodeReader", ["AVFoundation", "UIKit", "CaptureTesting"]),
        tests("SlowMotion", ["AVFoundation", "CaptureTesting"]),
        tests("DepthViewer", ["AVFoundation", "CaptureTesting"]),
        tests("ModernCamera", ["AVFoundation", "CaptureTesting", "Photos"]),
        tests("ClipCamera", ["AVFoundation", "CaptureTesting"]),
        .testTarget(
            name: "AppScenarioTests",
            dependencies: ["AVFoundation", "PhotosUI", "CaptureTesting", "Kamera", "ModernCamera"],
            exclude: ["limited-library.yaml", "phone-call.yaml", "pick-photos.yaml", "restart.yaml"],
            swiftSettings: strict),
        tests("OwnCamera", ["CaptureHAL", "AVFoundation", "CaptureTesting"]),
        tests(
            "CaptureService",
            ["CaptureHAL", "AVFoundation", "UIKit", "CaptureTesting", "TestSupport", "ExampleTestSupport"]),
        tests("SourcePorting"),
        tests("obscura", ["MediaTypes", "MediaStorage", "SimDevices", "TestSupport"]),
    ]
)
