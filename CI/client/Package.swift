// swift-tools-version: 5.9
// A user of this package, as small as can be: what builds here builds for everyone who depends on it.
import PackageDescription

let package = Package(
    name: "camera-client",
    dependencies: [.package(name: "obscura", path: "../..")],
    targets: [
        .target(name: "CameraKit", dependencies: [.product(name: "AVFoundation", package: "obscura")]),
        .testTarget(name: "CameraKitTests", dependencies: ["CameraKit"]),
    ]
)
