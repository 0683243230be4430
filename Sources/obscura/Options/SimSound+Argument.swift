import SimDevices

extension SimSound: NamedArgument {
    static let noun = "sound"
}
