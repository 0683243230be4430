import Foundation
import MediaTypes
import StrictYAML

/// The document of a profile, together with the documents of the profiles that it is based on.
///
/// A profile that is based on another one has all its keys and devices. At each level, a mapping overrides the keys that
/// it contains; any other value, such as a list of formats, replaces the whole value. The value `none` removes a key. An
/// entry of `devices` overrides the device with the same `id`, at the place of that device; other entries follow the
/// devices of the base. `without` lists the devices of the base that the machine does not have.
struct ProfileDocument {
    /// The keys of the file.
    static let keys = [
        "profile", "basedOn", "name", "summary", "manufacturer", "movieCodec", "processing", "form", "screen",
        "multiCamera", "devices", "without",
    ]
    /// The keys of an entry of `devices`. Each entry has one of them.
    static let deviceKeys = ["camera", "virtualCamera", "microphone"]
    /// The value that removes a key of the base.
    private static let removalText = "none"

    /// The keys of the file and of its base.
    let map: YAMLMapping
    /// The keys of the file alone. The name and the summary of a base are not those of this profile.
    let own: YAMLMapping
    /// The entries of the devices in the order of the host's list.
    let devices: [YAMLValue]
    /// The IDs of devices of bases that the machine does not have.
    let removedIDs: Set<String>
    /// The mapping that `map` contains.
    private let root: YAMLValue

    /// Reads the base, if there is one, and merges the keys and devices.
    ///
    /// - Parameters:
    ///   - root: The mapping of the file, without a base.
    ///   - files: The files that are based on this one, directly or indirectly.
    init(_ root: YAMLValue, basesOf files: [String] = []) throws(YAMLError) {
        try root.checkVersion("profile", supported: DeviceProfile.version)
        own = try root.mapping(keys: Self.keys)
        guard let baseName = own["basedOn"] else {
            if let without = own["without"] {
                throw without.error("the profile is not based on another one", "remove \"without\", or add \"basedOn\"")
            }
            self.root = root
            map = own
            removedIDs = []
            devices = try Self.checkingIDs(own.required("devices").list())
            return
        }
        let base = try ProfileDocument(Self.base(baseName, files + [root.file]), basesOf: files + [root.file])
        self.root = root.overriding([base.root], removingBy: Self.removalText)
        map = try self.root.mapping(keys: Self.keys)
        let removed = try Self.ids(own["without"], among: base.devices)
        removedIDs = base.removedIDs.union(removed)
        devices = try Self.merging(
            Self.checkingIDs(own["devices"]?.list() ?? []),
            into: base.devices.filter { device in !removed.contains { $0 == Self.id(of: device) } })
    }

    /// Reads the document of a base.
    ///
    /// - Parameters:
    ///   - value: The name of a built-in profile, or a path relative to the folder of the file.
    ///   - files: The file, preceded by the files that are based on it.
    private static func base(_ value: YAMLValue, _ files: [String]) throws(YAMLError) -> YAMLValue {
        let name = try value.string()
        let names = DeviceProfile.builtInNames
        guard DeviceProfile.isPath(name) else {
            guard names.contains(name) else {
                throw value.error("there is no profile \"\(name)\"", suggestion(for: name, among: names))
            }
            guard let document = DeviceProfile.builtInDocument(name) else {
                throw value.error("the built-in profile \(name) is damaged", "run CI/built-in-profiles")
            }
            return document
        }
        let path = URL(
            fileURLWithPath: name, relativeTo: URL(fileURLWithPath: value.file).deletingLastPathComponent()
        ).standardizedFileURL.path
        guard !files.contains(where: { URL(fileURLWithPath: $0).standardizedFileURL.path == path }) else {
            throw value.error("the profile \"\(name)\" is based on this one", "remove one of the two keys")
        }
        let text: String
        do throws(ProfileError) {
            text = try DeviceProfile.text(of: path)
        } catch {
            throw value.error("the profile \"\(name)\" cannot be read: \(error.message)", "correct the path")
        }
        return try YAMLValue.parse(text, file: path)
    }

    /// Returns the entries if no two of them have the same ID.
    private static func checkingIDs(_ entries: [YAMLValue]) throws(YAMLError) -> [YAMLValue] {
        var ids: Set<String> = []
        for entry in entries {
            guard let id = id(of: entry), !ids.insert(id).inserted else { continue }
            throw entry.error("two devices have the id \"\(id)\"", "use a unique id for each device")
        }
        return entries
    }

    /// Returns the ID in an entry; nil if it has none, which reading the device reports.
    private static func id(of entry: YAMLValue) -> String? {
        guard let entries = try? entry.entries(), let device = entries.first?.value else { return nil }
        return (try? device.entries())?.first { $0.key == "id" }.flatMap { try? $0.value.string() }
    }

    /// Returns the IDs in the value of `without`.
    private static func ids(_ without: YAMLValue?, among devices: [YAMLValue]) throws(YAMLError) -> [String] {
        let known = devices.compactMap { id(of: $0) }.map { (name: $0, value: $0) }
        var ids: [String] = []
        for value in try without?.list() ?? [] { ids.append(try value.choice(known)) }
        return ids
    }

    private static func merging(
        _ entries: [YAMLValue], into devices: [YAMLValue]
    ) throws(YAMLError) -> [YAMLValue] {
        var merged = devices
        let ids = devices.map { id(of: $0) }
        for entry in entries {
            if let id = id(of: entry), let index = ids.firstIndex(of: id) {
                merged[index] = entry.overriding([merged[index]], removingBy: removalText)
            } else {
                merged.append(entry)
            }
        }
        return merged
    }
}
