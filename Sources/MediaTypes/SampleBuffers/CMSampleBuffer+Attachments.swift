extension CMSampleBuffer {
    /// The attachments of one sample, by key.
    public struct PerSampleAttachmentsDictionary: @unchecked Sendable {
        // SAFETY: the entries are property-list values with value semantics.

        /// The key of a sample's attachment.
        public struct Key: RawRepresentable, Hashable, Sendable {
            /// The text of a `kCMSampleAttachmentKey_…`.
            public let rawValue: CFString
            /// Creates a key from its text.
            public init(rawValue: CFString) { self.rawValue = rawValue }

            /// Whether the sample is not a sync sample.
            public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
            /// Whether the sample is a partial sync sample.
            public static let partialSync = Key(rawValue: kCMSampleAttachmentKey_PartialSync)
            /// Whether other samples depend on this one for decoding.
            public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
            /// Whether this sample depends on others for decoding.
            public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
            /// Whether later samples can have earlier presentation times.
            public static let earlierDisplayTimesAllowed = Key(
                rawValue: kCMSampleAttachmentKey_EarlierDisplayTimesAllowed)
            /// Whether to display the sample immediately.
            public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
            /// Whether to decode the sample without displaying it.
            public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
        }

        var entries: [String: Any]

        /// The attachment for a key; setting nil removes it.
        public subscript(key: Key) -> Any? {
            get { entries[key.rawValue] }
            set { entries[key.rawValue] = newValue }
        }

        /// Whether the sample has no attachments.
        public var isEmpty: Bool { entries.isEmpty }
    }

    /// The attachments of all samples, in decoding order.
    public struct SampleAttachmentsArray: MutableCollection, RandomAccessCollection, Sendable {
        var samples: [PerSampleAttachmentsDictionary]

        /// The first index.
        public var startIndex: Int { 0 }
        /// The index after the last sample.
        public var endIndex: Int { samples.count }

        /// The attachments of one sample.
        public subscript(index: Int) -> PerSampleAttachmentsDictionary {
            get { samples[index] }
            set { samples[index] = newValue }
        }
    }

    /// The attachments of all samples; reading returns a copy, writing replaces all of them.
    ///
    /// - Precondition: The new value has one element for each sample.
    public var sampleAttachments: SampleAttachmentsArray {
        get {
            let entries = withState { $0.sampleAttachments }
            let all = entries.isEmpty ? [[String: Any]](repeating: [:], count: numSamples) : entries
            return SampleAttachmentsArray(samples: all.map { PerSampleAttachmentsDictionary(entries: $0) })
        }
        set {
            precondition(
                newValue.count == numSamples,
                "\(newValue.count) attachment dictionaries for \(numSamples) samples")
            replaceSampleAttachments(newValue.samples.map(\.entries))
        }
    }

    /// Whether the first sample can be decoded without others: it is not marked `notSync`.
    package var isSync: Bool {
        let first = withState { $0.sampleAttachments.first }
        return (first?[kCMSampleAttachmentKey_NotSync] as? Bool) != true
    }

    /// Marks all samples as sync samples or as non-sync samples.
    package func setSync(_ isSync: Bool) {
        let entries: [String: Any] =
            isSync
            ? [kCMSampleAttachmentKey_DependsOnOthers: false]
            : [kCMSampleAttachmentKey_NotSync: true, kCMSampleAttachmentKey_DependsOnOthers: true]
        replaceSampleAttachments([[String: Any]](repeating: entries, count: numSamples))
    }

    private func replaceSampleAttachments(_ entries: [[String: Any]]) {
        // The old values are released here, outside the lock.
        let old = withState { state in
            let old = state.sampleAttachments
            state.sampleAttachments = entries
            return old
        }
        _ = old
    }
}
