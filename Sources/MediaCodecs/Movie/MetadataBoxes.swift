/// Writes a movie's metadata where readers of its container look for it.
struct MetadataBoxes {
    let metadata: MovieMetadata
    let container: MovieContainer

    func append(to builder: inout BoxBuilder) {
        if container == .mov { appendKeyed(to: &builder) } else { appendUserData(to: &builder) }
    }

    /// QTFF, "Metadata": `meta` with a handler, a table of keys and a list of values by key number.
    private func appendKeyed(to builder: inout BoxBuilder) {
        let known = [
            ("com.apple.quicktime.creationdate", metadata.creationDate),
            ("com.apple.quicktime.location.ISO6709", metadata.location),
            ("com.apple.quicktime.make", metadata.make),
            ("com.apple.quicktime.model", metadata.model),
            ("com.apple.quicktime.software", metadata.software),
        ]
        var entries: [(key: String, value: String)] = []
        for (key, value) in known { if let value { entries.append((key, value)) } }
        for entry in metadata.custom { entries.append((entry.key, entry.value)) }
        guard !entries.isEmpty else { return }
        // Unlike ISO's, QuickTime's `meta` is no full box.
        builder.box("meta") { meta in
            appendHandler("mdta", to: &meta)
            meta.fullBox("keys") { box in
                box.unsigned32(UInt32(entries.count))
                for entry in entries {
                    box.box("mdta") { $0.data(entry.key.utf8) }
                }
            }
            meta.box("ilst") { list in
                for (index, entry) in entries.enumerated() {
                    let number = UInt32(index + 1)
                    let code = String(
                        String.UnicodeScalarView(
                            (0..<4).map { byte in
                                Unicode.Scalar(UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)))
                            }))
                    list.box(code) { appendText(entry.value, to: &$0) }
                }
            }
        }
    }

    /// Entries of MPEG-4 files: the place as QuickTime's `©xyz`, the rest in an item list of handler `mdir`.
    private func appendUserData(to builder: inout BoxBuilder) {
        let items = [
            ("©day", metadata.creationDate), ("©mak", metadata.make), ("©mod", metadata.model),
            ("©too", metadata.software),
        ]
        let hasItems = items.contains { $0.1 != nil }
        guard hasItems || metadata.location != nil else { return }
        builder.box("udta") { udta in
            if let location = metadata.location {
                udta.box("©xyz") { box in
                    box.unsigned16(UInt16(clamping: location.utf8.count))
                    box.unsigned16(0x15c7)  // the language code that phones write here
                    box.data(location.utf8)
                }
            }
            guard hasItems else { return }
            udta.fullBox("meta") { meta in
                appendHandler("mdir", to: &meta)
                meta.box("ilst") { list in
                    for (code, value) in items {
                        guard let value else { continue }
                        list.box(code) { appendText(value, to: &$0) }
                    }
                }
            }
        }
    }

    private func appendHandler(_ kind: String, to builder: inout BoxBuilder) {
        builder.fullBox("hdlr") { box in
            box.unsigned32(0)
            box.code(kind)
            box.zeros(13)
        }
    }

    /// A `data` atom of type 1, UTF-8, in any language.
    private func appendText(_ text: String, to builder: inout BoxBuilder) {
        builder.box("data") { box in
            box.unsigned32(1)
            box.unsigned32(0)
            box.data(text.utf8)
        }
    }
}
