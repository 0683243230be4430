package import MediaAssets
package import MediaTypes

extension AVAssetReaderOutput {
    /// Reads all remaining samples.
    package func drain() -> [CMSampleBuffer] {
        var samples: [CMSampleBuffer] = []
        while let sample = copyNextSampleBuffer() { samples.append(sample) }
        return samples
    }
}
