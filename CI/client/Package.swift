// swift-tools-version: 5.9
// A minimal client of this package, to test that the package builds as a dependency.
import PackageDescription

let package = Package(
    name: "camera-client",
    dependencies: [.package(name: "obscura", path: "../..")],
    targets: [
        .target(name: "CameraKit", dependencies: [.product(name: "AVFoundation", package: "obscura")]),
        .testTarget(name: "CameraKitTests", dependencies: ["CameraKit"]),
        // Tests of Swift Testing, and of both frameworks in one file.
        .testTarget(
            name: "CameraKitSwiftTests",
            dependencies: [
                "CameraKit", .product(name: "UIKit", package: "obscura"),
                .product(name: "CaptureTesting", package: "obscura"),
            ]),
    ]
)
