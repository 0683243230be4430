package import MediaAssets
package import MediaTypes

extension AVAssetReaderOutput {
    /// All samples that are left.
    package func drain() -> [CMSampleBuffer] {
        var samples: [CMSampleBuffer] = []
        while let sample = copyNextSampleBuffer() { samples.append(sample) }
        return samples
    }
}
