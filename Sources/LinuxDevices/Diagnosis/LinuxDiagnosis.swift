import CLinuxDevices
import Glibc

/// A diagnosis of the machine's cameras and microphones: which exist, and whether this process can use them.
///
/// It does not change any settings. It opens device files briefly, except those that are known to be in use.
///
/// - Important: Thread-safe.
package struct LinuxDiagnosis: Sendable {
    /// The severity of a finding.
    package enum Level: String, Sendable, Encodable {
        case fine, hint, problem
    }

    /// A result of the diagnosis with advice.
    package struct Finding: Sendable, Hashable, Encodable {
        /// The severity.
        package var level: Level
        /// The device file or the topic.
        package var subject: String
        /// The result in one sentence.
        package var message: String
        /// What the user can do; empty if nothing is necessary.
        package var advice: String

        /// Creates a finding.
        package init(level: Level, subject: String, message: String, advice: String) {
            self.level = level
            self.subject = subject
            self.message = message
            self.advice = advice
        }
    }

    private let kernel: any KernelCalls
    private let process: DiagnosedProcess

    /// Creates a diagnosis for the current process.
    package init() { self.init(kernel: LinuxKernel(), process: .current()) }

    /// Creates a diagnosis for a process.
    package init(kernel: any KernelCalls, process: DiagnosedProcess) {
        self.kernel = kernel
        self.process = process
    }

    /// Returns all findings: cameras, then microphones, then hot-plugging.
    package func findings() -> [Finding] {
        let nodes = sortedByNumber(kernel.entries(of: "/dev"), prefix: "video")
        let cameras = nodes.flatMap { camera("/dev/\($0)") }
        let microphones = microphones()
        return (cameras.isEmpty ? [noCamera] : cameras) + (microphones.isEmpty ? [noMicrophone] : microphones)
            + hotplug()
    }

    // MARK: Cameras

    private func camera(_ path: String) -> [Finding] {
        let identity = V4L2Identity(path: path, kernel: kernel)
        let label = kernel.text(of: "/sys/class/video4linux/\(identity.name)/name") ?? identity.name
        let node: V4L2Node
        do throws(KernelError) {
            node = try V4L2Node(path, kernel: kernel)
        } catch {
            if error.number == EBUSY { return [busy(path, label)] }
            return [openFailure(path, label, error, group: "video")]
        }
        do throws(KernelError) {
            let capability = try node.capability()
            guard let type = capability.captureType else {
                return [
                    Finding(
                        level: .fine, subject: path,
                        message: "\(capability.card) (\(capability.driver)): does not capture video", advice: "")
                ]
            }
            var findings = [readiness(path, capability, try V4L2FormatList(node, type: type))]
            if let input = try node.currentInput() { findings += try receiver(path, node, input) }
            if try node.isInUseByAnother(type) { findings.append(busy(path, capability.card)) }
            findings += bandwidth(path, identity)
            return findings
        } catch {
            if error.number == EBUSY { return [busy(path, label)] }
            return [openFailure(path, label, error, group: "video")]
        }
    }

    private func readiness(_ path: String, _ capability: V4L2Capability, _ list: V4L2FormatList) -> Finding {
        let camera = "\(capability.card) (\(capability.driver), \(capability.bus))"
        guard list.entries.isEmpty else {
            return Finding(
                level: .fine, subject: path, message: "\(camera): \(list.entries.count) formats can be used", advice: ""
            )
        }
        guard list.unsupported.isEmpty else {
            let encodings = list.unsupported.map { $0.name.isEmpty ? $0.fourcc : "\($0.fourcc) (\($0.name))" }
            return Finding(
                level: .problem, subject: path,
                message: "\(camera): no formats can be used; it only offers \(encodings.joined(separator: ", "))",
                advice:
                    "Obscura does not support this: check whether the driver has a mode or an option for another "
                    + "encoding "
                    + "('v4l2-ctl -d \(path) --list-formats-ext').")
        }
        return Finding(
            level: .problem, subject: path, message: "\(camera): no formats can be used; its driver lists none",
            advice: "It may need a signal or a linked sensor ('media-ctl -p'); see 'dmesg'.")
    }

    private var noCamera: Finding {
        let hasDriver = !kernel.entries(of: "/sys/class/video4linux").isEmpty
        return Finding(
            level: .problem, subject: "/dev/video*", message: "there is no camera",
            advice: hasDriver
                ? "The kernel has one in /sys/class/video4linux; pass its device file to this container."
                : "Connect one, or load its driver ('modprobe uvcvideo' for USB, 'modprobe vivid' for a test pattern); "
                    + "pass its device file to a container. --backend sim and file:PATH do not need a camera.")
    }

    /// Returns the findings about the speed of a USB connection.
    private func bandwidth(_ path: String, _ identity: V4L2Identity) -> [Finding] {
        guard let speed = identity.usb("speed").flatMap(Double.init) else { return [] }
        // USB 2.0 high speed is 480 Mbit/s, and USB 3.0 is 5000 Mbit/s.
        let level: Level =
            switch speed {
            case ..<480: .problem
            case ..<5000: .hint
            default: .fine
            }
        let advice =
            switch level {
            case .problem: "Use another port or cable: this speed is only sufficient for small frames."
            case .hint:
                "Uncompressed video is limited to about 40 MB/s for all cameras on this bus; use MJPEG above "
                    + "1280x720 at 10 fps, or a USB 3 port."
            case .fine: ""
            }
        return [
            Finding(level: level, subject: path, message: "its USB link runs at \(Int(speed)) Mbit/s", advice: advice)
        ]
    }

    // MARK: Microphones

    private func microphones() -> [Finding] {
        kernel.entries(of: "/dev/snd").filter { $0.hasPrefix("pcmC") && $0.hasSuffix("c") }.flatMap {
            name -> [Finding] in
            let path = "/dev/snd/\(name)"
            let numbers = name.dropFirst(4).dropLast().split(separator: "D")
            let card = numbers.first.map(String.init) ?? ""
            let label = kernel.text(of: "/proc/asound/card\(card)/id") ?? "card \(card)"
            let status = kernel.text(of: "/proc/asound/card\(card)/pcm\(numbers.last ?? "")c/sub0/status")
            if let status, !status.hasPrefix("closed") { return [busy(path, label)] }
            do throws(KernelError) {
                kernel.close(try kernel.open(path, .readWrite))
            } catch {
                if error.number == EBUSY { return [busy(path, label)] }
                return [openFailure(path, label, error, group: "audio")]
            }
            return [Finding(level: .fine, subject: path, message: "\(label): can be used", advice: "")]
        }
    }

    private var noMicrophone: Finding {
        let hasCards = kernel.text(of: "/proc/asound/cards").map { !$0.contains("no soundcards") } ?? false
        return Finding(
            level: .problem, subject: "/dev/snd", message: "there is no microphone",
            advice: hasCards
                ? "The kernel has a sound card (/proc/asound/cards) but no capture device; pass /dev/snd to this "
                    + "container, or check whether the card has an input."
                : "Connect one, or load its driver ('modprobe snd-usb-audio', or 'snd-aloop' for a loopback device); "
                    + "pass /dev/snd to a container. To record without audio, use --no-audio.")
    }

    // MARK: Hot-plugging

    private func hotplug() -> [Finding] {
        if kernel.entries(of: "/run/udev").contains("control") {
            return [
                Finding(
                    level: .fine, subject: "hot-plug", message: "udev reports connected and disconnected devices",
                    advice: "")
            ]
        }
        return [
            Finding(
                level: .hint, subject: "hot-plug", message: "udev is not running; device files are watched instead",
                advice: "In a container, mount /run/udev so that names and permissions are correct immediately.")
        ]
    }

    private func openFailure(_ path: String, _ label: String, _ error: KernelError, group: String) -> Finding {
        guard error.number == EACCES || error.number == EPERM else {
            return Finding(
                level: .problem, subject: path, message: "\(label): \(error)",
                advice: error.number == ENODEV || error.number == ENXIO
                    ? "Its driver has released it; reconnect it." : "See 'dmesg' for messages of its driver.")
        }
        let isMember = process.groups.contains(group)
        return Finding(
            level: .problem, subject: path, message: "\(label): \(process.user) may not open it (\(error))",
            advice: isMember
                ? "\(process.user) is in the group \(group), but the file's permissions forbid it: see "
                    + "'ls -l \(path)'; in a container allow the device (--device \(path))."
                : "Add the user to the group: 'sudo usermod -aG \(group) \(process.user)', then log in again.")
    }

    private func busy(_ path: String, _ label: String) -> Finding {
        let users = users(of: path)
        return Finding(
            level: .problem, subject: path,
            message: "\(label): in use"
                + (users.isEmpty ? " by another program" : " by \(users.joined(separator: ", "))"),
            advice: users.isEmpty
                ? "Only root can see programs of other users: run this as root to find the program."
                : "End that program, or close the device in it.")
    }

    /// Returns the other processes that have a file open, such as `ffmpeg (1234)`, as far as permissions allow.
    private func users(of path: String) -> [String] {
        kernel.entries(of: "/proc").compactMap { Int32($0) }.sorted().filter { $0 != process.identifier }
            .compactMap { identifier in
                let folder = "/proc/\(identifier)/fd"
                guard kernel.entries(of: folder).contains(where: { kernel.resolve("\(folder)/\($0)") == path }) else {
                    return nil
                }
                return "\(kernel.text(of: "/proc/\(identifier)/comm") ?? "a process") (\(identifier))"
            }
    }

    /// Returns the names that consist of a prefix and a number, sorted by the number.
    private func sortedByNumber(_ names: [String], prefix: String) -> [String] {
        names.compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)).map { (name, $0) } : nil
        }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
