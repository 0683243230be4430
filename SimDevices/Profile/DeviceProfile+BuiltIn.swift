extension DeviceProfile {
    /// A built-in profile.
    struct BuiltInFile: Sendable {
        let name: String
        /// The bytes of the file in `SimDevices/Profiles`.
        let bytes: @Sendable () -> [UInt8]
    }

    /// The built-in profiles, the default one first.
    static let builtInFiles = [
        BuiltInFile(name: "phone") { PackageResources.phone_yaml },
        BuiltInFile(name: "phone-small") { PackageResources.phone_small_yaml },
        BuiltInFile(name: "phone-two-lenses") { PackageResources.phone_two_lenses_yaml },
        BuiltInFile(name: "phone-pro-2x") { PackageResources.phone_pro_2x_yaml },
        BuiltInFile(name: "phone-pro-3x") { PackageResources.phone_pro_3x_yaml },
        BuiltInFile(name: "phone-pro-5x") { PackageResources.phone_pro_5x_yaml },
        BuiltInFile(name: "phone-square-front") { PackageResources.phone_square_front_yaml },
        BuiltInFile(name: "phone-variable-aperture") { PackageResources.phone_variable_aperture_yaml },
        BuiltInFile(name: "phone-foldable") { PackageResources.phone_foldable_yaml },
        BuiltInFile(name: "tablet") { PackageResources.tablet_yaml },
        BuiltInFile(name: "laptop") { PackageResources.laptop_yaml },
        BuiltInFile(name: "phone-as-webcam") { PackageResources.phone_as_webcam_yaml },
        BuiltInFile(name: "webcam") { PackageResources.webcam_yaml },
        BuiltInFile(name: "webcam-4k") { PackageResources.webcam_4k_yaml },
        BuiltInFile(name: "capture-card") { PackageResources.capture_card_yaml },
        BuiltInFile(name: "usb-microphone") { PackageResources.usb_microphone_yaml },
    ]

    /// The names of the built-in profiles, the default one first.
    public static let builtInNames = builtInFiles.map(\.name)
}
