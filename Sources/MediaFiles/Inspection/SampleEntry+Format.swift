import Foundation
package import MediaCodecs
package import MediaTypes

extension TrackMap {
    /// Returns the format for a copy of the samples with a sample description entry.
    ///
    /// The entry is kept byte for byte if it is valid in the container. Otherwise it is converted, if the codec is one
    /// that `MovieFileWriter` knows, or if it has the same configuration in both families of files.
    ///
    /// - Throws: `.unsupportedFormat` with the track, the codec and the reason if the samples cannot be copied.
    package func copiedFormat(
        of entry: SampleEntry, to container: MovieContainer
    ) throws(MovieError) -> MovieSampleFormat {
        do throws(CopyRejection) {
            return try copy(of: entry, to: container)
        } catch {
            throw MovieError(
                .unsupportedFormat, "track \(number) ('\(entry.code)') cannot be copied: \(error.reason)")
        }
    }

    /// Returns why `copiedFormat` fails; nil if it succeeds.
    package func copyRejectionReason(of entry: SampleEntry, to container: MovieContainer) -> String? {
        do throws(CopyRejection) {
            _ = try copy(of: entry, to: container)
            return nil
        } catch {
            return error.reason
        }
    }

    /// The reason why samples cannot be copied, without the track.
    private struct CopyRejection: Error {
        let reason: String
    }

    private func copy(
        of entry: SampleEntry, to container: MovieContainer
    ) throws(CopyRejection) -> MovieSampleFormat {
        if let reason = copyRejectionReasons.first {
            throw CopyRejection(reason: entry.protection.map { "it \($0), and \(reason)" } ?? reason)
        }
        let index = entry.dataReference - 1
        if dataReferences.indices.contains(index), !dataReferences[index].isSelfContained {
            throw CopyRejection(
                reason: "its samples are in another file (data reference '\(dataReferences[index].type)')")
        }
        let stored = StoredSampleFormat(self, entry)
        guard let reason = container.rejectionReason(for: .stored(stored)) else { return .stored(stored) }
        if let format = try? entry.makeSampleFormat(handler: handler, timescale: timescale),
            container.rejectionReason(for: format) == nil
        {
            return format
        }
        guard container != .mov, let bytes = entry.isoAudioBytes else { throw CopyRejection(reason: reason) }
        return .stored(
            StoredSampleFormat(
                code: entry.code, handler: handler, entry: bytes, isQuickTime: false,
                isUncompressed: stored.isUncompressed))
    }
}

extension StoredSampleFormat {
    /// Creates the format of a track's samples, with the data reference of a file that contains them.
    fileprivate init(_ track: TrackMap, _ entry: SampleEntry) {
        var bytes = entry.bytes
        // The box header and reserved bytes precede the number of the data reference.
        if bytes.count >= 16 { bytes.replaceSubrange(14..<16, with: [0, 1]) }
        self.init(
            code: entry.code, handler: track.handler, entry: bytes,
            isQuickTime: track.storedBoxes?.isQuickTime ?? false,
            isUncompressed: entry.isLinearPCM || track.samples.runs.contains { $0.count > 1 })
    }
}

extension SampleEntry {
    /// Creates the format with which `MovieFileWriter` can write the same samples.
    ///
    /// - Throws: `.unsupportedFormat` for samples that it cannot write.
    package func makeSampleFormat(handler: String, timescale: CMTimeScale) throws(MovieError) -> MovieSampleFormat {
        switch content {
        case .video, .audio:
            guard let description = makeDescription(handler: handler, timescale: timescale) else {
                throw MovieError(.unsupportedFormat, "the description of \(code) samples is invalid")
            }
            return try MovieSampleFormat(description)
        case .other(let body):
            if code == "tmcd", let format = Self.timecode(body) { return .timecode(format) }
            if code == "mebx", let format = Self.timedMetadata(body) { return .metadata(format) }
            if code == "tx3g" { return .subtitle(SubtitleSampleFormat(handler: handler, entry: body)) }
            if handler == "text" { return .text }
            throw MovieError(.unsupportedFormat, "samples of type \(code) cannot be written")
        }
    }

    /// Parses a timecode entry (QTFF, "Timecode Sample Description").
    private static func timecode(_ body: Data) -> TimecodeSampleFormat? {
        var reader = ByteReader(Array(body))
        guard (try? reader.skip(8)) != nil, let timescale = try? reader.signed32(), let value = try? reader.signed32(),
            timescale > 0
        else { return nil }
        return TimecodeSampleFormat(frameDuration: CMTime(value: Int64(value), timescale: timescale))
    }

    /// Parses the keys of boxed timed metadata (`mebx`); nil if there are none.
    static func timedMetadata(_ body: Data) -> TimedMetadataFormat? {
        guard let list = ByteReader(Array(body)).boxes().first(where: { $0.type == "keys" }) else { return nil }
        // The local ID 0 marks unused keys (ISO/IEC 14496-12, 12.9); of keys with the same ID, the first one applies.
        var localIDs: Set<FourCharCode> = [0]
        let keys = list.body.boxes().compactMap { entry -> TimedMetadataFormat.Key? in
            let localID = FourCharCode(fourCharacters: entry.type)
            let parts = entry.body.boxes()
            guard var name = parts.first(where: { $0.type == "keyd" })?.body, let space = try? name.code(),
                var type = parts.first(where: { $0.type == "dtyp" })?.body, (try? type.skip(4)) != nil,
                let number = try? type.unsigned32(), localIDs.insert(localID).inserted
            else { return nil }
            return TimedMetadataFormat.Key(
                namespace: space, name: String(decoding: name.rest(), as: UTF8.self), dataType: number,
                localID: localID)
        }
        return keys.isEmpty ? nil : TimedMetadataFormat(keys: keys)
    }
}
