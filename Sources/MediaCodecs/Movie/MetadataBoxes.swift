/// Writes the metadata of a movie or track in the form that the container specifies.
struct MetadataBoxes {
    let metadata: MovieMetadata
    let container: MovieContainer

    func append(to builder: inout BoxBuilder) {
        if container == .mov {
            appendKeyed(standardEntries + metadata.custom, to: &builder)
        } else {
            appendUserData(to: &builder)
            appendKeyed(metadata.custom, to: &builder)
        }
    }

    /// The entries of the properties other than `custom`, with their QuickTime keys.
    private var standardEntries: [MovieMetadata.Entry] {
        [
            ("com.apple.quicktime.creationdate", metadata.creationDate),
            ("com.apple.quicktime.location.ISO6709", metadata.location),
            ("com.apple.quicktime.make", metadata.make),
            ("com.apple.quicktime.model", metadata.model),
            ("com.apple.quicktime.software", metadata.software),
        ].compactMap { key, value in value.map { MovieMetadata.Entry(key: key, value: $0) } }
    }

    /// Appends QuickTime metadata (QTFF, "Metadata"): `meta` with a handler, a table of keys, and a list of values with
    /// the numbers of their keys.
    private func appendKeyed(_ entries: [MovieMetadata.Entry], to builder: inout BoxBuilder) {
        guard !entries.isEmpty else { return }
        builder.box("meta") { meta in
            // Unlike the ISO box, QuickTime's `meta` is not a full box.
            if container != .mov { meta.unsigned32(0) }
            appendHandler("mdta", to: &meta)
            meta.fullBox("keys") { box in
                box.unsigned32(UInt32(entries.count))
                for entry in entries {
                    box.box("mdta") { $0.data(entry.key.utf8) }
                }
            }
            meta.box("ilst") { list in
                for (index, entry) in entries.enumerated() {
                    list.box(UInt32(index + 1).fourCharacters) { append(entry.value, to: &$0) }
                }
            }
        }
    }

    /// Appends the user data of MPEG-4 files: the location as QuickTime's `©xyz`, the rest in an item list of handler
    /// `mdir`.
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
                    box.unsigned16(0x15c7)  // the language code of `eng`, as phones write it
                    box.data(location.utf8)
                }
            }
            guard hasItems else { return }
            udta.fullBox("meta") { meta in
                appendHandler("mdir", to: &meta)
                meta.box("ilst") { list in
                    for (code, value) in items {
                        guard let value else { continue }
                        list.box(code) { append(.text(value), to: &$0) }
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

    /// Appends a `data` atom with a well-known type, for all languages.
    private func append(_ value: MovieMetadata.Entry.Value, to builder: inout BoxBuilder) {
        builder.box("data") { box in
            switch value {
            case .text(let text):
                box.unsigned32(1)
                box.unsigned32(0)
                box.data(text.utf8)
            case .integer(let number) where Int32(exactly: number) != nil:
                box.unsigned32(67)  // a signed integer of 32 bits
                box.unsigned32(0)
                box.signed32(Int32(truncatingIfNeeded: number))
            case .integer(let number):
                box.unsigned32(74)  // a signed integer of 64 bits
                box.unsigned32(0)
                box.signed64(number)
            case .real(let number):
                box.unsigned32(24)  // floating point of 64 bits
                box.unsigned32(0)
                box.float64(number)
            case .data(let data, let type):
                box.unsigned32(type)
                box.unsigned32(0)
                box.data(data)
            }
        }
    }
}
