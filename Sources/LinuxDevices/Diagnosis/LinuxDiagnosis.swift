import CLinuxDevices
import Glibc

/// What the kernel has of cameras and microphones, whether this process may use them, and what stands in the way.
///
/// Changes no setting. A device file is opened for a moment, but not one that is known to be in use.
///
/// - Important: Thread-safe.
package struct LinuxDiagnosis: Sendable {
    /// How grave a finding is.
    package enum Level: String, Sendable, Encodable {
        case fine, hint, problem
    }

    /// Something that was found, in one sentence, and what to do about it.
    package struct Finding: Sendable, Hashable, Encodable {
        package var level: Level
        /// The device file or the matter.
        package var subject: String
        package var message: String
        /// Empty where nothing is to be done.
        package var advice: String
    }

    private let kernel: any KernelCalls
    private let process: DiagnosedProcess

    package init() { self.init(kernel: LinuxKernel(), process: .current()) }

    package init(kernel: any KernelCalls, process: DiagnosedProcess) {
        self.kernel = kernel
        self.process = process
    }

    /// All findings: cameras, sound, then the matters of the machine.
    package func findings() -> [Finding] {
        let nodes = numbered(kernel.entries(of: "/dev"), prefix: "video")
        let cameras = nodes.flatMap { camera("/dev/\($0)") }
        let sound = soundCards()
        return (cameras.isEmpty ? [noCamera] : cameras) + (sound.isEmpty ? [noSound] : sound) + hotplug()
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
            return [refusal(path, label, error, group: "video")]
        }
        do throws(KernelError) {
            let capability = try node.capability()
            guard let type = capability.captureType else {
                return [
                    Finding(
                        level: .fine, subject: path,
                        message: "\(capability.card) (\(capability.driver)): captures no pictures", advice: "")
                ]
            }
            var findings = [readiness(path, capability, try V4L2FormatList(node, type: type))]
            if let input = try node.currentInput() { findings += try receiver(path, node, input) }
            if try node.isTakenByAnother(type) { findings.append(busy(path, capability.card)) }
            findings += bandwidth(path, identity)
            return findings
        } catch {
            if error.number == EBUSY { return [busy(path, label)] }
            return [refusal(path, label, error, group: "video")]
        }
    }

    private func readiness(_ path: String, _ capability: V4L2Capability, _ list: V4L2FormatList) -> Finding {
        let camera = "\(capability.card) (\(capability.driver), \(capability.bus))"
        guard list.entries.isEmpty else {
            return Finding(
                level: .fine, subject: path, message: "\(camera): \(list.entries.count) formats can be used", advice: ""
            )
        }
        guard list.unknown.isEmpty else {
            let encodings = list.unknown.map { $0.name.isEmpty ? $0.fourcc : "\($0.fourcc) (\($0.name))" }
            return Finding(
                level: .problem, subject: path,
                message: "\(camera): no formats can be used; all that it has is \(encodings.joined(separator: ", "))",
                advice:
                    "Obscura does not read that: see whether the driver has a mode or an option for another encoding "
                    + "('v4l2-ctl -d \(path) --list-formats-ext').")
        }
        return Finding(
            level: .problem, subject: path, message: "\(camera): no formats can be used; its driver lists none",
            advice: "It may wait for a signal or for a sensor to be linked ('media-ctl -p'); see 'dmesg'.")
    }

    private var noCamera: Finding {
        let hasDriver = !kernel.entries(of: "/sys/class/video4linux").isEmpty
        return Finding(
            level: .problem, subject: "/dev/video*", message: "there is no camera",
            advice: hasDriver
                ? "The kernel has one in /sys/class/video4linux; pass its device file into this container."
                : "Plug one in, or load its driver ('modprobe uvcvideo' for USB, 'modprobe vivid' for a test picture); in a "
                    + "container pass the device file in. --backend sim and file:PATH need none.")
    }

    /// USB speed and what fits through it.
    private func bandwidth(_ path: String, _ identity: V4L2Identity) -> [Finding] {
        guard let speed = identity.usb("speed").flatMap(Double.init) else { return [] }
        let level: Level = speed < 480 ? .problem : speed < 5000 ? .hint : .fine
        let advice =
            switch level {
            case .problem: "Take another port or cable: at this speed only small pictures pass."
            case .hint:
                "Uncompressed pictures are limited to about 40 MB/s for all cameras on this bus; take MJPEG above "
                    + "1280x720 at 10 frames a second, or a USB 3 port."
            case .fine: ""
            }
        return [
            Finding(level: level, subject: path, message: "its USB link runs at \(Int(speed)) Mbit/s", advice: advice)
        ]
    }

    // MARK: Sound

    private func soundCards() -> [Finding] {
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
                return [refusal(path, label, error, group: "audio")]
            }
            return [Finding(level: .fine, subject: path, message: "\(label): can be recorded from", advice: "")]
        }
    }

    private var noSound: Finding {
        let hasCards = kernel.text(of: "/proc/asound/cards").map { !$0.contains("no soundcards") } ?? false
        return Finding(
            level: .problem, subject: "/dev/snd", message: "there is no microphone",
            advice: hasCards
                ? "The kernel has a sound card (/proc/asound/cards) but no capture device here; pass /dev/snd into this "
                    + "container, or see whether the card has an input."
                : "Plug one in, or load its driver ('modprobe snd-usb-audio', or 'snd-aloop' for a loop); in a container "
                    + "pass /dev/snd in. Recording works without sound, too: --no-audio.")
    }

    // MARK: The machine

    private func hotplug() -> [Finding] {
        if kernel.entries(of: "/run/udev").contains("control") {
            return [
                Finding(
                    level: .fine, subject: "hot-plug", message: "udev tells of devices that come and go", advice: "")
            ]
        }
        return [
            Finding(
                level: .hint, subject: "hot-plug", message: "udev does not run here; device files are watched instead",
                advice: "In a container, mount /run/udev for names and rights to be right at once.")
        ]
    }

    private func refusal(_ path: String, _ label: String, _ error: KernelError, group: String) -> Finding {
        guard error.number == EACCES || error.number == EPERM else {
            return Finding(
                level: .problem, subject: path, message: "\(label): \(error)",
                advice: error.number == ENODEV || error.number == ENXIO
                    ? "Its driver has let go of it; plug it in again." : "See 'dmesg' for what its driver says.")
        }
        let isMember = process.groups.contains(group)
        return Finding(
            level: .problem, subject: path, message: "\(label): \(process.user) may not open it (\(error))",
            advice: isMember
                ? "\(process.user) is in the group \(group), so the file's own rights forbid it: see 'ls -l \(path)'; in a "
                    + "container allow the device (--device \(path))."
                : "Add the user to the group: 'sudo usermod -aG \(group) \(process.user)', then log in again.")
    }

    private func busy(_ path: String, _ label: String) -> Finding {
        let holders = holders(of: path)
        return Finding(
            level: .problem, subject: path,
            message: "\(label): in use"
                + (holders.isEmpty ? " by another program" : " by \(holders.joined(separator: ", "))"),
            advice: holders.isEmpty
                ? "Programs of other users show only to root: run this as root to see which it is."
                : "End that program, or let it give the device back.")
    }

    /// The other processes that have a file open, as `ffmpeg (1234)`; those that may be looked into.
    private func holders(of path: String) -> [String] {
        kernel.entries(of: "/proc").compactMap { Int32($0) }.sorted().filter { $0 != process.identifier }
            .compactMap { number in
                let folder = "/proc/\(number)/fd"
                guard kernel.entries(of: folder).contains(where: { kernel.resolve("\(folder)/\($0)") == path }) else {
                    return nil
                }
                return "\(kernel.text(of: "/proc/\(number)/comm") ?? "a process") (\(number))"
            }
    }

    private func numbered(_ names: [String], prefix: String) -> [String] {
        names.compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)).map { (name, $0) } : nil
        }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
