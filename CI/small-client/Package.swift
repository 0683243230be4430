// swift-tools-version: 6.2
// The client in CI/client with tests in virtual time only. It enables no trait of this package, so that it builds
// none of the photo library, playback and editing, the devices of Linux and scenarios.
import PackageDescription

let package = Package(
    name: "small-camera-client",
    dependencies: [.package(name: "obscura", path: "../..", traits: [])],
    targets: [
        .target(name: "CameraKit", dependencies: [.product(name: "AVFoundation", package: "obscura")]),
        .testTarget(
            name: "CameraKitSwiftTests",
            dependencies: [
                "CameraKit", .product(name: "UIKit", package: "obscura"),
                .product(name: "CaptureTesting", package: "obscura"),
            ]),
    ],
    swiftLanguageModes: [.v5]
)
