import CLinuxDevices
import CaptureHAL
import Glibc

/// The audio devices of alsa-lib: the kernel's sound cards, and sound servers that plugins provide.
package final class ALSASystem: AudioSystem {
    /// Creates the system. Disables the library's error output to the terminal for the complete process.
    package init() { clinuxdevices_silence_alsa() }

    package func captureEndpoints() -> [AudioEndpoint] {
        var endpoints: [AudioEndpoint] = []
        var card: Int32 = -1
        while snd_card_next(&card) >= 0, card >= 0 { endpoints += capturePCMs(ofCard: card) }
        for server in Self.configuredPCMs() {
            endpoints.append(
                AudioEndpoint(
                    key: server.key, name: server.name, manufacturer: "", mixerKey: "", order: endpoints.count,
                    card: nil))
        }
        for index in endpoints.indices { endpoints[index].order = index }
        return endpoints
    }

    package func open(_ endpoint: AudioEndpoint) throws(KernelError) -> any CapturePCM {
        let pcm = try ALSAPCM(opening: endpoint.key)
        guard endpoint.key.hasPrefix("hw:"), pcm.formats().isEmpty else { return pcm }
        // The hardware's sample formats are not supported, for example 24 bits in three bytes; the library converts
        // them.
        pcm.close()
        return try ALSAPCM(opening: "plug" + endpoint.key)
    }

    package func mixer(_ endpoint: AudioEndpoint) -> (any CaptureMixer)? {
        endpoint.mixerKey.isEmpty ? nil : ALSAMixer(endpoint.mixerKey)
    }

    private func capturePCMs(ofCard card: Int32) -> [AudioEndpoint] {
        var control: OpaquePointer?
        guard snd_ctl_open(&control, "hw:\(card)", 0) >= 0, let control else { return [] }
        defer { snd_ctl_close(control) }
        var cardInfo: OpaquePointer?
        guard snd_ctl_card_info_malloc(&cardInfo) == 0, let cardInfo else { return [] }
        defer { snd_ctl_card_info_free(cardInfo) }
        guard snd_ctl_card_info(control, cardInfo) >= 0 else { return [] }
        let id = String(cString: snd_ctl_card_info_get_id(cardInfo))
        let name = String(cString: snd_ctl_card_info_get_name(cardInfo))
        let driver = String(cString: snd_ctl_card_info_get_driver(cardInfo))

        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) == 0, let info else { return [] }
        defer { snd_pcm_info_free(info) }
        var endpoints: [AudioEndpoint] = []
        var device: Int32 = -1
        while snd_ctl_pcm_next_device(control, &device) >= 0, device >= 0 {
            snd_pcm_info_set_device(info, UInt32(device))
            snd_pcm_info_set_subdevice(info, 0)
            snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
            guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
            let pcm = String(cString: snd_pcm_info_get_name(info))
            endpoints.append(
                AudioEndpoint(
                    key: "hw:CARD=\(id),DEV=\(device)", name: pcm.isEmpty || pcm == name ? name : "\(name), \(pcm)",
                    manufacturer: driver, mixerKey: "hw:CARD=\(id)", order: 0, card: Int(card)))
        }
        return endpoints
    }

    /// Names of PCMs in the library's default configuration that are not separate sources: converters, mixes of listed
    /// cards, and bridges to other libraries.
    private static let ignoredNames: Set<String> = [
        "null", "default", "sysdefault", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "a52",
        "jack",
        "oss", "usbstream", "hw", "plughw", "plug", "dsnoop", "dmix", "front", "hdmi", "iec958", "spdif", "modem",
        "phoneline",
    ]

    /// Returns the PCMs of the library's configuration that do not belong to a card: plugins of sound servers, and PCMs
    /// that users have defined with a `hint`.
    private static func configuredPCMs() -> [(key: String, name: String)] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var found: [(String, String)] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            // "IOID" is missing if a PCM supports both directions.
            guard let key = text(hint, "NAME"), text(hint, "IOID") != "Output", !key.contains("CARD="),
                !ignoredNames.contains(String(key.prefix { $0 != ":" })), !found.contains(where: { $0.0 == key })
            else { continue }
            let description = text(hint, "DESC")?.split(separator: "\n").first.map(String.init)
            found.append((key, description ?? key))
        }
        return found
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ id: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, id) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
