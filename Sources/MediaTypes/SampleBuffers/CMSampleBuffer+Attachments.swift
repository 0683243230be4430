extension CMSampleBuffer {
    /// The attachments of one sample, by key.
    public struct PerSampleAttachmentsDictionary: @unchecked Sendable {
        // SAFETY: property-list values, changed as values only.

        /// The name of an attachment of a sample.
        public struct Key: RawRepresentable, Hashable, Sendable {
            /// The text of a `kCMSampleAttachmentKey_…`.
            public let rawValue: CFString
            /// Makes a key from its text.
            public init(rawValue: CFString) { self.rawValue = rawValue }

            /// The sample is no sync sample.
            public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
            /// The sample is a partial sync sample.
            public static let partialSync = Key(rawValue: kCMSampleAttachmentKey_PartialSync)
            /// Whether others need it to be decoded.
            public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
            /// Whether it needs others to be decoded.
            public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
            /// Later samples may be shown earlier.
            public static let earlierDisplayTimesAllowed = Key(
                rawValue: kCMSampleAttachmentKey_EarlierDisplayTimesAllowed)
            /// Show it as soon as it comes.
            public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
            /// Decode it but do not show it.
            public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
        }

        var entries: [String: Any]

        /// The attachment of a key; setting nil removes it.
        public subscript(key: Key) -> Any? {
            get { entries[key.rawValue] }
            set { entries[key.rawValue] = newValue }
        }

        /// Whether there are none.
        public var isEmpty: Bool { entries.isEmpty }
    }

    /// The attachments of all samples, in the order in which they are decoded.
    public struct SampleAttachmentsArray: MutableCollection, RandomAccessCollection, Sendable {
        var samples: [PerSampleAttachmentsDictionary]

        /// The first index.
        public var startIndex: Int { 0 }
        /// The index behind the last sample.
        public var endIndex: Int { samples.count }

        /// The attachments of one sample.
        public subscript(index: Int) -> PerSampleAttachmentsDictionary {
            get { samples[index] }
            set { samples[index] = newValue }
        }
    }

    /// The attachments of every sample; reading gives a copy, writing replaces them all.
    ///
    /// - Precondition: As many are written as there are samples.
    public var sampleAttachments: SampleAttachmentsArray {
        get {
            let entries = state.withLock { $0.sampleAttachments }
            let all = entries.isEmpty ? [[String: Any]](repeating: [:], count: numSamples) : entries
            return SampleAttachmentsArray(samples: all.map { PerSampleAttachmentsDictionary(entries: $0) })
        }
        set {
            precondition(
                newValue.count == numSamples,
                "\(newValue.count) attachment dictionaries for \(numSamples) samples")
            state.withLock { $0.sampleAttachments = newValue.samples.map(\.entries) }
        }
    }

    /// Whether the first sample can be decoded without others: it is not marked `notSync`.
    package var isSync: Bool {
        let first = state.withLock { $0.sampleAttachments.first }
        return (first?[kCMSampleAttachmentKey_NotSync] as? Bool) != true
    }

    /// Marks the only sample as a sync sample, or as one that is not.
    package func setSync(_ isSync: Bool) {
        let entries: [String: Any] =
            isSync
            ? [kCMSampleAttachmentKey_DependsOnOthers: false]
            : [kCMSampleAttachmentKey_NotSync: true, kCMSampleAttachmentKey_DependsOnOthers: true]
        state.withLock { $0.sampleAttachments = [[String: Any]](repeating: entries, count: numSamples) }
    }
}
