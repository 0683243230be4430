// swift-tools-version: 6.2
// The manifest is the picture of the architecture: a target names all that it imports, and imports point down.
// The number beside a target is its layer.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(
    _ name: String, path: String? = nil, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: strict)
}

func tests(_ module: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.byName(name: module)] + dependencies, resources: resources,
        swiftSettings: strict)
}

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "obscura",
    products: [
        .library(
            name: "AVFoundation",
            targets: ["AVFoundation", "CoreImage", "CoreLocation", "CoreMedia", "CoreVideo", "QuartzCore", "Photos"]),
        .library(name: "CaptureTesting", targets: ["CaptureTesting"]),
        .executable(name: "obscura", targets: ["obscura"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // 0
        library("MediaTypes"),
        // 1
        library("PixelKernels", ["MediaTypes", "CPixelKernels", "CYUV"]),
        library("LayerTypes", ["MediaTypes"]),
        library("CaptureHAL", ["MediaTypes", "CCaptureHAL"]),
        library("ThreeA", ["MediaTypes", "CaptureHAL", "CThreeA"]),
        // 2
        library(
            "MediaCodecs",
            ["MediaTypes", "PixelKernels", "CaptureHAL", "CLibAV", "CTurboJPEG", "CEXIF", "CPNG", "CZBar"]),
        library("LinuxDevices", ["MediaTypes", "PixelKernels", "CaptureHAL", "ThreeA", "CLinuxDevices"]),
        library("RecordedDevices", ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", "CRecordedDevices"]),
        library(
            "SimDevices", path: "SimDevices",
            ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", "ThreeA", "CSimKernels", yams],
            resources: [.embedInCode("Profiles")]),
        // 3
        library("Capture", ["MediaTypes", "LayerTypes", "PixelKernels", "CaptureHAL", "MediaCodecs"]),
        library("AppTypes", ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs"]),
        library("PhotoStore", ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", grdb]),
        // 4
        library(
            "Backends", ["MediaTypes", "CaptureHAL", "LinuxDevices", "RecordedDevices", "SimDevices"]),
        library("Scenario", ["MediaTypes", "PixelKernels", "CaptureHAL", "SimDevices", "Capture", "PhotoStore", yams]),
        // 5
        library(
            "CaptureTesting",
            [
                "MediaTypes", "PixelKernels", "CaptureHAL", "SimDevices", "RecordedDevices", "Capture", "PhotoStore",
                "Scenario", "Backends",
            ]),
        library("CoreMedia", ["MediaTypes"]),
        library("CoreVideo", ["MediaTypes"]),
        library("QuartzCore", ["MediaTypes", "LayerTypes"]),
        library("CoreImage", ["MediaTypes", "AppTypes"]),
        library("CoreLocation", ["AppTypes"]),
        library(
            "AVFoundation",
            [
                "MediaTypes", "CaptureHAL", "AppTypes", "Capture", "CoreMedia", "CoreVideo", "QuartzCore", "Backends",
            ]),
        library("Photos", ["MediaTypes", "CaptureHAL", "PhotoStore", "Backends"]),
        // 6
        .executableTarget(
            name: "obscura",
            dependencies: [
                "MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", "LinuxDevices", "RecordedDevices",
                "SimDevices", "Capture", "PhotoStore", "Scenario", "Backends", arguments,
            ],
            swiftSettings: strict),

        // C libraries and shims: each is imported by one Swift target.
        .target(name: "CCaptureHAL"),
        .target(
            name: "CRecordedDevices", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CPixelKernels", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CThreeA", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CSimKernels", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CLinuxDevices", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("udev")]),
        .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
        // It loads FFmpeg's libraries by itself when they are first used.
        .target(name: "CLibAV", cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        // It loads zbar by itself when it is first used.
        .target(name: "CZBar", cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),

        tests("MediaTypes"),
        tests("PixelKernels", ["MediaTypes"]),
        tests("LayerTypes", ["MediaTypes"]),
        tests("CaptureHAL", ["MediaTypes"]),
        tests("ThreeA", ["MediaTypes", "CaptureHAL"]),
        tests("MediaCodecs", ["MediaTypes", "PixelKernels", "CaptureHAL"]),
        tests(
            "LinuxDevices",
            [
                "MediaTypes", "CaptureHAL", "CLinuxDevices", "MediaCodecs", "Capture", "CaptureTesting",
                "RecordedDevices",
            ]),
        tests("RecordedDevices", ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", "SimDevices"]),
        tests("SimDevices", ["MediaTypes", "CaptureHAL", "MediaCodecs", "ThreeA"]),
        tests(
            "Capture",
            [
                "MediaTypes", "LayerTypes", "PixelKernels", "CaptureHAL", "MediaCodecs", "SimDevices",
                "RecordedDevices",
            ]),
        tests("AppTypes", ["MediaTypes", "CaptureHAL"]),
        tests("PhotoStore", ["MediaTypes", "PixelKernels", "CaptureHAL", "MediaCodecs"]),
        tests("Scenario", ["MediaTypes", "CaptureHAL", "SimDevices", "Capture"]),
        tests(
            "CaptureTesting",
            ["MediaTypes", "CaptureHAL", "Capture", "PhotoStore", "Scenario", "RecordedDevices", "PixelKernels"]),
        tests("Backends", ["MediaTypes", "CaptureHAL"]),
        tests("AVFoundation", ["CoreImage", "CoreLocation", "Photos", "CaptureTesting"]),
        tests("obscura", ["MediaTypes", "SimDevices"]),
    ]
)
